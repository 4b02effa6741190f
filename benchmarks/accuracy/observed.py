"""What the recorder saw of one model, in the words of the truth: sites, recompiles, traced lines, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileEnd, GraphBreak, Recompile
from compilelint.runtime.seen.parts import is_of
from compilelint.runtime.seen.reading import Reading, read
from compilelint.runtime.session import Session, line_ranges

KINDS = {"graph-break": "break", "frame-skipped": "skip", "compile-error": "error", "recompile-limit": "limit"}
"""Observations that are sites, and what they are called there."""
_RECOMPILE_LIMIT = "GB0039"
"""Under which torch registers it; the recorder hears of it before it is a break."""
_ADDRESS = re.compile(r"0x[0-9a-f]+|\b\d{9,}\b")
"""Differs from run to run."""
_LONGEST = 200
_MOST_REASONS = 6

Ranges = dict[str, list[list[int]]]


@dataclass(frozen=True)
class Folder:
    """Where a package is installed, to tell its files from all others."""

    package: str
    parent: str

    def owns(self, path: str) -> bool:
        return path.startswith((f"{self.parent}/{self.package}/", f"{self.parent}/{self.package}.py"))

    def name(self, path: str) -> str:
        """`package/path.py` for its own files; others by what follows the folder of installed packages."""
        if self.owns(path):
            return path[len(self.parent) + 1 :]
        _, installed, rest = path.rpartition("/site-packages/")
        if installed:
            return rest
        return path[len(self.parent) + 1 :] if path.startswith(f"{self.parent}/") else PurePath(path).name

    def in_guard(self, text: str) -> str:
        """A guard's text with the package's files as above: Dynamo leaves out of paths what torch's own begins with."""
        parts = PurePath(self.parent).parts
        for start in range(1, len(parts)):
            text = text.replace(f" # {'/'.join(parts[start:])}/{self.package}/", f" # {self.package}/")
        return text


@dataclass(frozen=True)
class Phase:
    """One phase of a model's run: its session, and how it went."""

    name: str
    session: Session
    error: str = ""
    """Why the call failed under torch.compile although it does not without; empty if it did not fail."""


def describe(phases: Iterable[Phase], folder: Folder) -> dict[str, Any]:
    """`phases`, `sites`, `recompiles` and `traced_lines` of one model.

    Raises ValueError if the recorder could not read something: such a run proves nothing.
    """
    given = [(phase, read([phase.session], folder.owns)) for phase in phases]
    if unreadable := [text for _, reading in given for text in reading.unreadable]:
        raise ValueError(f"unreadable: {'; '.join(unreadable)}")
    return {
        "phases": {phase.name: _counts(phase) for phase, _ in given},
        "sites": _sites(given, folder),
        "recompiles": [each for phase, _ in given for each in _recompiles(phase, folder)],
        "traced_lines": _traced((reading for _, reading in given), folder),
    }


def _counts(phase: Phase) -> dict[str, Any]:
    ends = [event for event in phase.session.events if isinstance(event, CompileEnd) and not event.backward]
    counts: dict[str, Any] = {
        "ok": not phase.error,
        "graphs": sum(event.ok and bool(event.ops) for event in ends),
        "n_break_records": sum(isinstance(event, GraphBreak) for event in phase.session.events),
        "frames_ok": sum(event.ok for event in ends),
        "frames_total": len(ends),
    }
    if phase.error:
        counts["error"] = phase.error
    return counts


def _sites(given: Iterable[tuple[Phase, Reading]], folder: Folder) -> list[dict[str, Any]]:
    folded: dict[tuple[object, ...], dict[str, Any]] = {}
    for phase, reading in given:
        found = [each for each in reading.observations if each.type in KINDS]
        ways = _ways(phase.session)
        for position, each in enumerate(found):
            site = _site(each, ways.get((each.path, each.line), each.stack[each.inside :]), folder)
            key = (site["file"], site["line"], each.type, each.title)
            one = folded.setdefault(key, {**site, "phases": [], "hits": 0, "primary": False})
            one["hits"] += each.hits
            one["primary"] |= position == 0
            one["frame_skipped"] |= site["frame_skipped"]
            if phase.name not in one["phases"]:
                one["phases"].append(phase.name)
            if len(site["stack"]) > len(one["stack"]):
                one["stack"] = site["stack"]
    return sorted(folded.values(), key=lambda site: (site["file"], site["line"], site["kinds"]))


def _ways(session: Session) -> dict[tuple[str, int], tuple[StackFrame, ...]]:
    """For each place of a break, how Dynamo came there from the frame that it was compiling: the longest way.

    What called that frame, as code that runs after an earlier break, is no part of it.
    """
    found: dict[tuple[str, int], tuple[StackFrame, ...]] = {}
    for event in session.events:
        if isinstance(event, GraphBreak) and event.stack:
            place, way = (event.stack[-1].path, event.stack[-1].line), _from_frame(event.stack, event.code)
            found[place] = max(found.get(place, ()), way, key=len)
    return found


def _from_frame(stack: tuple[StackFrame, ...], code: StackFrame | None) -> tuple[StackFrame, ...]:
    last = max((index for index, frame in enumerate(stack) if code and is_of(frame, code)), default=0)
    return stack[last:]


def _site(each: Observation, way: tuple[StackFrame, ...], folder: Folder) -> dict[str, Any]:
    """A site is the innermost line of the package; `innermost` tells where else Dynamo saw it."""
    place = StackFrame(each.path, each.line, each.function)
    inside = [frame for frame in way if folder.owns(frame.path)]
    owner = place if folder.owns(each.path) or not inside else inside[-1]
    site: dict[str, Any] = {
        "file": folder.name(owner.path),
        "line": owner.line,
        "function": owner.function.rpartition(".")[2],
        "kinds": [KINDS[each.type]],
        "gb_id": _RECOMPILE_LIMIT if each.type == "recompile-limit" else each.gb_id,
        "reason": _said(each),
        "frame_skipped": each.frame_dropped,
        "stack": [f"{folder.name(frame.path)}:{frame.line}" for frame in inside],
    }
    if owner is not place:
        site["innermost"] = f"{folder.name(place.path)}:{place.line}"
    return site


def _said(each: Observation) -> str:
    """Dynamo's own name for a break; of an error, also its text."""
    text = f"{each.title}: {each.context}" if each.type == "compile-error" else each.title
    return _cut(text if each.type != "frame-skipped" else each.reason)


def _recompiles(phase: Phase, folder: Folder) -> list[dict[str, Any]]:
    """One per function that was compiled again in this phase, with why (without repetitions)."""
    folded: dict[tuple[str, int, str], dict[str, str]] = {}
    for event in phase.session.events:
        if isinstance(event, Recompile):
            code = event.code
            reasons = folded.setdefault((folder.name(code.path), code.line, code.function.rpartition(".")[2]), {})
            for version, guard in zip(event.versions or ("",) * len(event.guards), event.guards, strict=True):
                text = folder.in_guard(_guard(guard))
                reasons.setdefault(text, f"{version}: {text}" if version else text)
    return [
        {
            "file": file,
            "line": line,
            "function": function,
            "phase": phase.name,
            "reasons": list(reasons.values())[:_MOST_REASONS],
        }
        for (file, line, function), reasons in folded.items()
    ]


def _guard(text: str) -> str:
    """The guard, and at its end the line of source for whose sake it was made, if Dynamo tells."""
    words = " ".join(text.strip().partition("\n")[0].split())
    condition, source, place = words.rpartition(" # ")
    return f"{_cut(condition)}{source}{place}" if source else _cut(words)


def _cut(text: str) -> str:
    words = _ADDRESS.sub("…", " ".join(text.split()))
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _traced(readings: Iterable[Reading], folder: Folder) -> Ranges:
    lines: dict[str, set[int]] = {}
    for reading in readings:
        for path, of_file in reading.traced.items():
            if folder.owns(path):
                lines.setdefault(folder.name(path), set()).update(of_file)
    return {file: ranges(lines[file]) for file in sorted(lines)}


def ranges(lines: Iterable[int]) -> list[list[int]]:
    """First and last of each run of lines, both included."""
    return [list(each) for each in line_ranges(lines)]


def union(traced: Iterable[Mapping[str, Iterable[Iterable[int]]]]) -> Ranges:
    """The lines that any of several models had traced."""
    lines: dict[str, set[int]] = {}
    for of_model in traced:
        for file, given in of_model.items():
            for first, last in given:
                lines.setdefault(file, set()).update(range(first, last + 1))
    return {file: ranges(lines[file]) for file in sorted(lines)}
