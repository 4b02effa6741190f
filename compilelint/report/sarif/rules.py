"""The rules of a SARIF file: one for each code that its results are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    return [_descriptor(code, pages.get(code), found) for code, found in sorted(by_code.items())]


def _descriptor(code: str, page: RulePage | None, found: Sequence[Alert]) -> dict[str, Any]:
    first = found[0]
    tags = ["torch.compile", "performance", *([page.effect] if page is not None else [])]
    return {
        "id": code,
        **(_described(page) if page is not None else _undescribed(first)),
        "properties": {
            "tags": tags[: GITHUB.tags],
            # GitHub shows rules of low precision last.
            "precision": max(each.confidence for each in found).label,
            "problem.severity": _PROBLEMS[first.severity if page is None else page.severity],
        },
    }


def _described(page: RulePage) -> dict[str, Any]:
    short = f"{page.name.replace('-', ' ').capitalize()}: {effect_words(page.effect)}."
    return {
        "name": shortened("".join(map(str.capitalize, page.name.split("-"))), GITHUB.name),
        "shortDescription": {"text": shortened(short, GITHUB.description)},
        "fullDescription": {"text": shortened(sentence(page.message), GITHUB.description)},
        "help": {"text": page.page, "markdown": page.page},
        "defaultConfiguration": {"level": LEVELS[page.severity]},
    }


def _undescribed(alert: Alert) -> dict[str, Any]:
    """What GitHub demands of every rule."""
    text = {"text": shortened(sentence(alert.message), GITHUB.description)}
    return {"shortDescription": text, "fullDescription": text, "help": text}
