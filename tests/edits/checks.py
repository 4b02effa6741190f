"""Checks that must come to the same, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from compilelint.check import CheckError, CheckOptions, run_check
from compilelint.report.confidence import Confidence


def everything(project: Path) -> CheckOptions:
    """A check of a project that tells all that it sees, remembers nothing and works alone."""
    return CheckOptions(paths=(project,), min_confidence=Confidence.LOW)


@dataclass(frozen=True, slots=True)
class Said:
    """What a check says, but for the time that it took."""

    lines: tuple[str, ...]
    places: tuple[tuple[str, int], ...] = ()
    """The files and lines of what is found, sorted."""


def said(options: CheckOptions, unsaved: Mapping[Path, str] = MappingProxyType({})) -> Said:
    """What a check says, also if that is why it cannot be done."""
    try:
        result = run_check(options, unsaved=unsaved)
    except CheckError as error:
        return Said((f"error: {error}",))
    report = result.report
    lines = (
        *map(repr, report.findings),
        *(f"hidden: {each!r}" for each in result.hidden),
        *(f"accepted: {each!r}" for each in result.accepted),
        *map(repr, report.errors),
        *result.warnings,
        repr(replace(report, findings=(), errors=(), duration_s=0.0)),
        f"exit code {result.exit_code}",
    )
    return Said(lines, tuple(sorted({(each.path, each.line) for each in report.findings})))


def differences(one: Said, other: Said) -> list[str]:
    """What only one of two checks says, or, if both say the same otherwise ordered, that."""
    left, right = {*one.lines}, {*other.lines}
    alone = [f"- {line}" for line in one.lines if line not in right]
    alone += [f"+ {line}" for line in other.lines if line not in left]
    return alone or (["the order differs"] if one != other else [])
