"""The SARIF log of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from compilelint import __version__
from compilelint.report.alerts import Alert
from compilelint.report.doubts import doubts, remarks
from compilelint.report.finding_words import finding_notes
from compilelint.report.line_hash import line_hashes
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors
from compilelint.report.sarif.limits import GITHUB
from compilelint.report.sarif.places import (
    BASES,
    frame_location,
    library_location,
    location,
    problem_location,
    route_location,
)
from compilelint.report.sarif.rules import LEVELS, rules
from compilelint.report.summary import summary
from compilelint.report.words import sentence

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def log(report: Report, told: Sequence[Alert], left_out: str) -> dict[str, Any]:
    """A log of one run with these alerts as its results; `left_out` says which are not among them."""
    described = rules(report, told)
    indices = {rule["id"]: index for index, rule in enumerate(described)}
    errors = [*_errors(report)]
    notifications = [
        *errors,
        *([_notification("warning", left_out)] if left_out else []),
        *(_notification("note", each) for each in remarks(report)),
    ]
    command = "check" if report.run is None else "trace"
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "compilelint", "semanticVersion": __version__, "rules": described},
                },
                "automationDetails": {"id": f"compilelint/{command}/"},
                "invocations": [
                    {"executionSuccessful": not errors, "toolExecutionNotifications": notifications},
                ],
                "originalUriBaseIds": dict(BASES),
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(each, indices[each.rule], line_hash)
                    for each, line_hash in zip(told, _line_hashes(report, told), strict=True)
                ],
                "properties": _properties(report),
            }
        ],
    }


def _result(alert: Alert, rule_index: int, line_hash: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": alert.rule,
        "ruleIndex": rule_index,
        "level": LEVELS[alert.severity],
        "message": {"text": _message(alert)},
        "locations": [location(alert)],
        "partialFingerprints": {"primaryLocationLineHash": line_hash, "compilelint/v1": alert.key},
        "properties": _facts(alert),
    }
    if related := [*_related(alert)][: GITHUB.locations]:
        result["relatedLocations"] = [{"id": number, **each} for number, each in enumerate(related)]
    if alert.told is not None and alert.told.main.stack:
        result["codeFlows"] = [_flow(alert)]
    return result


def _message(alert: Alert) -> str:
    text = f"{sentence(alert.message)} {alert.help}".rstrip()
    # `blocks[i](x)` would be a link to the related location i.
    return text.replace("](", "] (")


def _related(alert: Alert) -> Iterator[dict[str, Any]]:
    finding = alert.finding
    if finding is not None:
        yield from map(library_location, finding.library)
        if finding.reached_from and (start := route_location(finding.reached_from[0])) is not None:
            yield start
    if alert.told is not None:
        for other in alert.told.cause.others:
            at = next((each for each in reversed(other.stack) if each.path == other.path), None)
            if at is not None:
                yield {**frame_location(at), "message": {"text": sentence(other.reason)}}


def _flow(alert: Alert) -> dict[str, Any]:
    """From the program's first call to where it happened, outermost first; of a deep stack the inner part."""
    stack = alert.told.main.stack[-GITHUB.flow_locations :] if alert.told is not None else ()
    steps = [{"location": frame_location(each), "nestingLevel": level} for level, each in enumerate(stack)]
    return {"threadFlows": [{"locations": steps}]}


def _facts(alert: Alert) -> dict[str, Any]:
    facts: dict[str, Any] = {"confidence": alert.confidence.label}
    if alert.verdict is not None:
        facts["verdict"] = alert.verdict
    if alert.finding is not None:
        facts["effect"] = alert.finding.effect
    if alert.told is not None:
        cause = alert.told.cause
        facts["hits"] = cause.hits
        facts["compileSeconds"] = round(cause.compile_seconds, 3)
        facts["ranks"] = sorted({rank for each in (cause.main, *cause.others) for rank in each.ranks})
    notes = alert.told.notes if alert.told is not None else finding_notes(alert.finding) if alert.finding else ()
    facts["notes"] = [f"{title}: {text}" for title, text in notes if title != "help"]
    return facts


def _line_hashes(report: Report, told: Sequence[Alert]) -> Iterator[str]:
    """Of each, what GitHub knows an alert by, with its rule: of two that are equal it shows one.

    The values are those that GitHub's own action gives, which warns of any other; only what is of one rule at one line
    has a number more. Where the file is gone, the alert's own key serves.
    """
    lines: dict[str, set[int]] = {}
    for alert in told:
        lines.setdefault(alert.path, set()).add(alert.line)
    hashes = {path: line_hashes(text, lines[path]) for path, text in report.texts.items() if path in lines}
    seen: dict[tuple[str, str, str], int] = {}
    for alert in told:
        value = hashes.get(alert.path, {}).get(alert.line, alert.key)
        same = seen[alert.rule, alert.path, value] = seen.get((alert.rule, alert.path, value), 0) + 1
        yield value if same == 1 else f"{value}-{same}"


def _errors(report: Report) -> Iterator[dict[str, Any]]:
    for problem in ordered_errors(report.errors):
        cell = f"Cell {problem.cell}: " if problem.cell is not None else ""
        yield {**_notification("error", f"{cell}{problem.message}"), "locations": [problem_location(problem)]}
    for doubt in doubts(report):
        yield _notification("error", doubt)


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": sentence(text)}}


def _properties(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": summary(report), "targetTorch": report.target_torch}
    if report.run is not None:
        found["torch"] = report.run.torch
        found["program"] = report.run.program
        found["budgets"] = [
            {"name": each.name, "limit": each.limit, "found": round(each.found, 3), "broken": each.broken}
            for each in report.run.budgets
        ]
    return found
