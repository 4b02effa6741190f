"""A report as lines, one for each thing to know of, in the order in which they are to be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compilelint.report.alerts import Alert, alerts
from compilelint.report.model import Finding, Observation, Report, Severity, Verdict
from compilelint.report.order import ordered_findings, ordered_observations
from compilelint.report.reach import come_to, is_beside, told_beside
from compilelint.report.run_rules import rule_of
from compilelint.report.telling import causes_of, is_inner
from compilelint.report.words import counted

_VERDICTS: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted",
    "not-reached": "not reached",
    "runtime-only": "not predicted",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A finding, a cause, or what a comment accepts."""

    path: str
    cell: int | None
    line: int
    column: int
    rule: str
    severity: Severity
    message: str
    remark: str = ""
    """Of a run, the verdict and the cost."""


def lines_of(report: Report) -> Iterator[Line]:
    """Of a check its findings by place.

    Of a run first the causes of what it did, the most expensive first, then what comments accept, then the findings
    that it did not show.
    """
    told = alerts(report)
    yield from map(_of_alert, told)
    if report.run is None:
        return
    findings = {each.fingerprint: each for each in report.findings}
    for observation in ordered_observations(each for each in report.observations if each.accepted):
        yield _of_accepted(observation, rule_of(observation, findings))
    files = come_to(report)
    shown = {each.fingerprint for each in told}
    for finding in ordered_findings(report.findings):
        if finding.fingerprint not in shown and not is_beside(finding, files):
            yield _of_finding(finding)


def what_else(report: Report) -> Iterator[str]:
    """Of a run, what is no line of its own but a number, in words."""
    if report.run is None:
        return
    if inner := sum(is_inner(each) for each in causes_of(report)):
        yield f"{counted(inner, 'more cause')} inside torch, Python and what they import: nothing of yours to change"
    files = come_to(report)
    if more := told_beside([each for each in report.findings if is_beside(each, files)]):
        yield more


def _of_alert(alert: Alert) -> Line:
    remark = ", ".join(filter(None, (_verdict(alert.verdict), alert.told.cost if alert.told else "")))
    return Line(alert.path, alert.cell, alert.line, alert.column, alert.rule, alert.severity, alert.message, remark)


def _verdict(verdict: Verdict | None) -> str:
    return _VERDICTS[verdict] if verdict is not None else ""


def _of_accepted(observation: Observation, rule: str) -> Line:
    column = len(observation.source_line) - len(observation.source_line.lstrip()) + 1
    return Line(
        observation.path, None, observation.line, column, rule, observation.severity, observation.reason, "accepted"
    )


def _of_finding(finding: Finding) -> Line:
    return Line(
        finding.path,
        finding.cell,
        finding.line,
        finding.column,
        finding.code,
        finding.severity,
        finding.message,
        _verdict(finding.verdict) or "not shown by a run",
    )
