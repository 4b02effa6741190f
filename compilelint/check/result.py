"""What a check comes to."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from compilelint.project.files import project_name
from compilelint.project.root import absolute
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


def seen_from(result: CheckResult, directory: Path) -> Report:
    """The report with paths as they are called from a directory, for people who click on them."""
    if absolute(directory) == result.root:
        return result.report

    def seen(name: str) -> str:
        return project_name(result.root / name, absolute(directory)) if name != "-" else name

    def step_seen(step: str) -> str:
        place = re.match(r"(.+?\.py)(?=:\d)", step)
        return seen(place[1]) + step[place.end() :] if place else step

    report = result.report
    findings = tuple(
        replace(each, path=seen(each.path), reached_from=tuple(map(step_seen, each.reached_from)))
        for each in report.findings
    )
    errors = tuple(replace(each, path=seen(each.path)) for each in report.errors)
    return replace(report, findings=findings, errors=errors)
