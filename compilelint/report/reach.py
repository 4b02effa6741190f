"""Which findings a run says nothing of, because it never came near them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from compilelint.report.model import Finding, Report, Run
from compilelint.report.words import counted

_CALL = re.compile(r"(?P<path>.+):\d+ ")
"""How the call of torch.compile is written that something was compiled for."""


def come_to(report: Report) -> frozenset[str]:
    """The files that the run came to; where it compiled nothing and it is not known why, also those that may say so."""
    in_stacks = (frame.path for each in report.observations for frame in each.stack)
    judged = (each.path for each in report.findings if each.verdict in ("confirmed", "refuted"))
    compiled = frozenset(_compiled(report.run)) if report.run is not None else ()
    explained = report.observations or (report.run is not None and _is_explained(report.run))
    telling = () if explained else (each.path for each in report.findings if each.effect == "not-compiled")
    return frozenset((*in_stacks, *judged, *compiled, *telling))


def _is_explained(run: Run) -> bool:
    """Whether one knows why it compiled nothing, if so: it failed before, or compiling was switched off."""
    return bool(run.compilations or run.cut_off or run.switched_off or run.ended.startswith("ended by "))


def _compiled(run: Run) -> Iterator[str]:
    """The files of what was compiled, and of the calls of torch.compile that asked for it."""
    for cost in run.frames:
        yield cost.path
    for moment in run.timeline:
        if found := _CALL.match(moment.compiled_by):
            yield found["path"]


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
