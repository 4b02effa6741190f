"""Checks that must come to the same, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from types import MappingProxyType

from compilelint.check import CheckError, CheckOptions, run_check
from compilelint.cli import run
from compilelint.rendering import rendered
from compilelint.report.confidence import Confidence
from compilelint.report.formats import Look

_FORM = "sarif"


def everything(project: Path) -> CheckOptions:
    """A check of a project that tells all that it sees, remembers nothing and works alone."""
    return CheckOptions(paths=(project,), min_confidence=Confidence.LOW)


@dataclass(frozen=True, slots=True)
class Said:
    """What a check says, but for the time that it took."""

    lines: tuple[str, ...]
    places: tuple[tuple[str, int], ...] = ()
    """The files and lines of what is found, sorted."""
    printed: str = ""
    """As the command line prints it in a form without times."""


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
    printed = rendered(report, result.root, result.rules, _FORM, Look()).text
    return Said(lines, tuple(sorted({(each.path, each.line) for each in report.findings})), printed)


def printed(project: Path, cache: Path) -> str:
    """What the command line prints of a project; it may tell what it told before."""
    with redirect_stdout(StringIO()) as output:
        run(["check", str(project), "--min-confidence=low", f"--format={_FORM}", "--jobs=1", f"--cache-dir={cache}"])
    return output.getvalue()


def differences(one: Said, other: Said) -> list[str]:
    """What only one of two checks says, or, if both say the same otherwise ordered, that."""
    left, right = {*one.lines}, {*other.lines}
    alone = [f"- {line}" for line in one.lines if line not in right]
    alone += [f"+ {line}" for line in other.lines if line not in left]
    return alone or (["the order differs"] if one != other else [])
