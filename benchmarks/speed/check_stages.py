"""What each stage of `compilelint check` costs, per line of what is checked.

    python benchmarks/speed/check_stages.py corpus/timm corpus/diffusers

Each package is checked in a process of its own, in which the functions that do a stage's work are timed (user and
system time of the process, so that other programs count for little). What a stage calls of another one is the other
one's. Beside it stands the floor: `ast.parse` of the same files, measured before. Timing itself costs some percent.
Prints a Markdown table for each package.
"""

from __future__ import annotations

import ast
import gc
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from compilelint.check import CheckOptions, run, run_check
from compilelint.inspect import names, starting, walking
from compilelint.inspect.inspector import Inspector
from compilelint.match import units
from compilelint.match.matcher import Matcher
from compilelint.source import index, tree

REST = "rest"
STAGES: dict[str, tuple[tuple[Any, str], ...]] = {
    "find and read files, options": ((run, "planned"), (run, "survey")),
    "parse": ((index.ast, "parse"),),
    "index": ((tree, "index_module"),),
    "roots": ((units, "_roots"),),
    "what names, annotations and decorators mean": (
        (names, "module_attribute"),
        (Inspector, "annotated"),
        (Inspector, "definition"),
    ),
    "what `__init__` assigns": ((Inspector, "assigned"),),
    "calls that nobody hears": ((walking, "_run_silently"),),
    "walk": ((starting, "run_root"),),
    "told again": ((walking, "may_be_told"), (walking, "tell")),
    "match": ((Matcher, "hits"), (Matcher, "splits"), (Matcher, "gives_up")),
    "around regions": ((units, "wrapping_events"),),
    "comments, baseline": ((run, "judge"),),
}
"""The functions whose time is a stage's."""


class Clock:
    """Adds up the time of each stage; only the innermost one that runs has it."""

    def __init__(self) -> None:
        self.seconds = {REST: 0.0, **dict.fromkeys(STAGES, 0.0)}
        self._running = [REST]
        self._since = time.process_time()

    def switch(self) -> None:
        """Give the time since the last switch to what runs."""
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose time is that of a stage. What is generated is gathered at once."""

        def call(*args: Any, **keywords: Any) -> Any:
            self.switch()
            self._running.append(stage)
            try:
                result = function(*args, **keywords)
                return list(result) if hasattr(result, "__next__") else result
            finally:
                self.switch()
                self._running.pop()

        return call


def floor(folder: Path) -> tuple[int, float]:
    """How many lines there are, and the seconds in which Python parses them, each file's tree thrown away."""
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    gc.disable()
    started = time.process_time()
    for text in texts:
        ast.parse(text)
    return sum(text.count("\n") for text in texts), time.process_time() - started


def table(folder: Path) -> str:
    """Check a package, as if nothing were configured, and say what each stage took."""
    lines, parsing = floor(folder)
    clock = Clock()
    for stage, functions in STAGES.items():
        for owner, name in functions:
            setattr(owner, name, clock.timed(stage, getattr(owner, name)))
    clock.switch()
    run_check(CheckOptions(paths=(folder,), isolated=True, target_torch="2.13"))
    clock.switch()
    total = sum(clock.seconds.values())
    rows = [
        f"| {stage} | {seconds:.2f} | {seconds / lines * 1e6:.1f} | {seconds / total:.0%} |"
        for stage, seconds in clock.seconds.items()
    ]
    return "\n".join(
        [
            f"{folder.name}, {lines:,} lines:\n",
            "| stage | seconds | µs per line | share |",
            "|---|---|---|---|",
            *rows,
            f"| **all** | {total:.2f} | {total / lines * 1e6:.1f} | |",
            f"| floor: `ast.parse` of each file | {parsing:.2f} | {parsing / lines * 1e6:.1f} | |",
            f"\n{total / parsing:.1f} × `ast.parse`",
        ]
    )


def main(folders: list[str]) -> None:
    if len(folders) == 1:
        print(table(Path(folders[0])))
        return
    for folder in folders:
        subprocess.run([sys.executable, __file__, folder], check=True)
        print(flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
