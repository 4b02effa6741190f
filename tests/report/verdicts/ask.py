"""Verdicts of a run, for the tests of what decides on them."""

from __future__ import annotations

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts.merging import merge
from tests.report.make import finding, observation

PATH = "src/model.py"
TRACED = {PATH: frozenset({10, 11, 12, 13, 20})}
COUNTER = finding(
    code="CL501", effect="recompile", gb_ids=(), line=20, end_line=20, source_line="        self.calls += 1"
)
RECOMPILE = observation(
    type="recompile",
    line=10,
    gb_id=None,
    title="self.calls == 0",
    variable="self.calls",
    stack=(StackFrame(PATH, 20, "forward"),),
    inside=0,
)


def verdicts(
    findings: list[Finding], observations: list[Observation], *, called_again: bool = True
) -> tuple[list[str | None], list[str | None]]:
    merged = merge(findings, observations, TRACED, called_again=lambda _: called_again)
    return [each.verdict for each in merged.findings], [each.finding for each in merged.observations]
