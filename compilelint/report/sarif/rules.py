"""The rules of a SARIF file: one for each code that its results are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from compilelint.report.alerts import Alert
from compilelint.report.model import Report, RulePage, Severity
from compilelint.report.sarif.limits import GITHUB, shortened
from compilelint.report.words import effect_words, sentence

LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEMS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "recommendation"}
"""GitHub's word for the severity of what is no danger to security."""


def rules(report: Report, told: Iterable[Alert]) -> list[dict[str, Any]]:
    """The descriptors, by code. What the report has no page of is described by the first of its alerts."""
    pages = {each.code: each for each in report.rules}
    by_code: dict[str, list[Alert]] = {}
    for alert in told:
        by_code.setdefault(alert.rule, []).append(alert)
    return [_descriptor(pages.get(code) or _page_from(found[0]), found) for code, found in sorted(by_code.items())]


def _page_from(alert: Alert) -> RulePage:
    finding = alert.finding
    message = sentence(alert.message)
    name, effect = (finding.name, finding.effect) if finding is not None else (alert.rule, "none")
    return RulePage(alert.rule, name, effect, alert.severity, message, f"{message} {alert.help}".rstrip())


def _descriptor(page: RulePage, found: Iterable[Alert]) -> dict[str, Any]:
    effect = effect_words(page.effect)
    tags = ["torch.compile", "performance", page.effect]
    return {
        "id": page.code,
        "name": shortened("".join(map(str.capitalize, page.name.split("-"))), GITHUB.name),
        "shortDescription": {
            "text": shortened(f"{page.name.replace('-', ' ').capitalize()}: {effect}.", GITHUB.description)
        },
        "fullDescription": {"text": shortened(sentence(page.message), GITHUB.description)},
        "help": {"text": page.page, "markdown": page.page},
        "defaultConfiguration": {"level": LEVELS[page.severity]},
        "properties": {
            "tags": tags[: GITHUB.tags],
            # GitHub shows rules of low precision last.
            "precision": max(each.confidence for each in found).label,
            "problem.severity": _PROBLEMS[page.severity],
        },
    }
