"""The judge of the recorder: what `TORCH_LOGS=graph_breaks,recompiles` says about a program, in records.

It reads the log that torch itself writes and shares no code with what it judges. Duplicates are folded
for breaks (a set of places), not for recompiles (each one counts).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LOGS = "graph_breaks,recompiles,torch._dynamo.convert_frame"
"""The last one is where Dynamo says, at INFO, which frames it gives up."""

_PREFIX = re.compile(
    r"(?:\[\w+\]:)*"
    r"(?P<head>[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ \S+:\d+\](?: \[[-!\w/]+\])?(?: \[__\w+\])?)"
    r" ?(?P<text>.*)"
)
_BREAK = re.compile(r"^Graph break.* in user code at (?P<path>.+):(?P<line>\d+)$", re.MULTILINE)
_OLD_BREAK = re.compile(
    r"\AGraph break: (?:skip: )?from user code at:\n"
    r"(?:  .*\n)*?"
    r"  File \"(?P<path>.+)\", line (?P<line>\d+), in .+\n"
    r"(?:    .*\n)*"
    r"(?=Traceback |\n|\Z)"
)
"""All of torch 2.5, and up to 2.9 what drops a frame: the stack, then Dynamo's own traceback."""
_RECOMPILE = re.compile(r"^Recompiling function (?P<function>\S+) in (?P<path>.+):(?P<line>\d+)$", re.MULTILINE)
_GUARD = re.compile(r"^\s+- \d+/\d+: (?P<guard>.*)$", re.MULTILINE)
_GIVEN_UP = re.compile(r"^WON'T CONVERT (?P<function>\S+) (?P<path>.+) line (?P<line>\d+)\s*$", re.MULTILINE)
_LIMIT = re.compile(
    r"^torch\._dynamo hit config\.(?P<limit>\w+) .*\n"
    r"\s+function: '(?P<function>.+)' \((?P<path>.+):(?P<line>\d+)\)$",
    re.MULTILINE,
)
_ADDRESS = re.compile(r"0x[0-9a-f]+|\b\d{9,}\b")

_FIRST_LINES = ("Graph break in ", "Graph break (user ", "Graph break: ", "Recompiling function ", "WON'T CONVERT ")

Place = tuple[str, int]


@dataclass(frozen=True)
class Said:
    """What Dynamo did in one run of a program."""

    breaks: frozenset[Place] = frozenset()
    """Innermost places of graph breaks."""
    given_up: frozenset[tuple[str, int, str]] = frozenset()
    """Frames that run without Dynamo from then on: file, first line, name."""
    recompiles: Mapping[tuple[str, int, str, str], int] = field(default_factory=dict)
    """How often a frame (file, first line, name) was recompiled for a guard: that of its newest version."""
    limits: frozenset[tuple[str, str, int]] = frozenset()
    exit_code: int = 0


def run(command: Iterable[str], cwd: Path, environment: Mapping[str, str], timeout: float = 240) -> Said:
    """Run a Python program as it is and read what torch logs. Raises if torch logged nothing it should."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env={**os.environ, **environment, "TORCH_LOGS": LOGS},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert "WARNING: invalid" not in done.stderr
    return read(done.stderr, done.returncode)


def read(log: str, exit_code: int = 0) -> Said:
    """What a log says."""
    breaks: set[Place] = set()
    given_up: set[tuple[str, int, str]] = set()
    recompiles: Counter[tuple[str, int, str, str]] = Counter()
    limits: set[tuple[str, str, int]] = set()
    for text in _records(log):
        for found in (*_BREAK.finditer(text), *_OLD_BREAK.finditer(text)):
            breaks.add((found["path"], int(found["line"])))
        for found in _GIVEN_UP.finditer(text):
            given_up.add((found["path"], int(found["line"]), found["function"]))
        for found in _LIMIT.finditer(text):
            limits.add((found["limit"], found["path"], int(found["line"])))
        if (found := _RECOMPILE.search(text)) is not None:
            guard = _GUARD.search(text)
            assert guard is not None, text
            recompiles[found["path"], int(found["line"]), found["function"], without_addresses(guard["guard"])] += 1
    return Said(frozenset(breaks), frozenset(given_up), recompiles, frozenset(limits), exit_code)


def without_addresses(guard: str) -> str:
    """A guard without what differs between two runs, and with single spaces."""
    return " ".join(_ADDRESS.sub("…", guard).split())


def _records(log: str) -> Iterable[str]:
    """The messages of a log; lines of one message have the same head, other processes may come between."""
    records: dict[str, list[str]] = {}
    for line in log.splitlines():
        if (found := _PREFIX.match(line)) is None:
            continue
        head, text = found["head"], found["text"]
        if text.startswith(_FIRST_LINES) and head in records:
            yield "\n".join(records.pop(head))
        records.setdefault(head, []).append(text)
    yield from ("\n".join(lines) for lines in records.values())
