"""Which findings a run says nothing of, because it never came near them."""

from __future__ import annotations

from collections.abc import Sequence, Set

from compilelint.report.model import Finding, Report
from compilelint.report.words import counted


def come_to(report: Report) -> frozenset[str]:
    """The files that the run came to; where it compiled nothing and it is not known why, also those that may say so."""
    in_stacks = (frame.path for each in report.observations for frame in each.stack)
    judged = (each.path for each in report.findings if each.verdict in ("confirmed", "refuted"))
    explained = report.observations or (report.run is not None and report.run.compilations)
    telling = () if explained else (each.path for each in report.findings if each.effect == "not-compiled")
    return frozenset((*in_stacks, *judged, *telling))


def is_beside(finding: Finding, files: Set[str]) -> bool:
    """Whether a finding is of a file that the run never came to: it may belong to another program.

    `files` are those that it came to. Of such findings a number is enough.
    """
    return finding.path not in files and finding.verdict in ("not-reached", None)


def told_beside(findings: Sequence[Finding]) -> str:
    """How many there are of those that the run could have come to, in words; empty if there are none."""
    apart = [each for each in findings if each.verdict == "not-reached"]
    if not apart:
        return ""
    files = counted(len({each.path for each in apart}), "file")
    return (
        f"{counted(len(apart), 'more hazard')} in {files} that this run never came to: `compilelint check` lists them"
    )
