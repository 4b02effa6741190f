"""What a check comes to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from compilelint.catalog.model import Rule
from compilelint.check.baseline import HeldBack
from compilelint.recall.grounds import Grounds
from compilelint.report.model import Finding, Report


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The report, the directory that its paths are relative to, and the exit code of design section 7."""

    report: Report
    root: Path
    exit_code: int
    accepted: tuple[Finding, ...] = ()
    """What comments suppress: a run that shows it is told so, and it counts for nothing."""
    warnings: tuple[str, ...] = ()
    """What its user should know and no finding says."""
    rules: tuple[Rule, ...] = ()
    """All that could have matched."""
    installed: tuple[Path, ...] = ()
    """The directories that followed packages are installed in: paths of `Finding.library` are relative to one."""
    baseline: HeldBack | None = None
    """What was held against it, if there is one."""
    hidden: tuple[Finding, ...] = ()
    """Findings below the confidence asked for."""
    files: frozenset[str] = frozenset()
    """The names of all that was checked."""
    followed: tuple[Path, ...] = ()
    """Where the followed packages are."""
    unremembered: str = ""
    """Why it is not remembered though it was to be, in the system's words."""
    grounds: Grounds | None = None
    """The files that it rests on; None if it rests on anything else, or on what changed meanwhile."""
