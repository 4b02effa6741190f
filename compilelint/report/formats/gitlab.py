"""Code Quality of GitLab: a merge request shows what it adds and what it mends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from compilelint.report.alerts import Alert, alerts, by_gravity, in_files
from compilelint.report.confidence import Confidence
from compilelint.report.formats import Look
from compilelint.report.model import Effect, Problem, Report
from compilelint.report.order import ordered_errors

_CATEGORIES: dict[Effect, str] = {"compile-error": "Bug Risk", "wrong-result": "Bug Risk", "none": "Style"}


def render(report: Report, look: Look) -> str:
    """A JSON array of issues, the gravest first, each with a fingerprint of its own.

    Paths must be those of the repository.
    """
    told = in_files(by_gravity(alerts(report)), report.texts)
    return json.dumps([*_problems(report), *map(_issue, told)], indent=1) + "\n"


def _problems(report: Report) -> Iterator[dict[str, Any]]:
    for problem in ordered_errors(report.errors):
        yield {
            "type": "issue",
            "check_name": "error",
            "description": _description(problem),
            "categories": ["Bug Risk"],
            "severity": "blocker",
            "fingerprint": _digest(problem.path, str(problem.cell), str(problem.line), problem.message),
            "location": {"path": problem.path, "lines": {"begin": problem.line if _has_line(problem) else 1}},
        }


def _has_line(problem: Problem) -> bool:
    return problem.line is not None and problem.cell is None


def _description(problem: Problem) -> str:
    cell = f"cell {problem.cell}: " if problem.cell is not None else ""
    return f"could not be checked: {cell}{problem.message}"


def _issue(alert: Alert) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": alert.rule,
        "description": f"{alert.rule} {alert.message}",
        "content": {"body": alert.help},
        "categories": [_CATEGORIES.get(alert.finding.effect, "Performance") if alert.finding else "Performance"],
        "severity": _severity(alert),
        "fingerprint": _digest(alert.key),
        "location": {"path": alert.path, "lines": {"begin": alert.line, "end": alert.end_line}},
    }


def _severity(alert: Alert) -> str:
    if alert.severity == "warning":
        return "major" if alert.confidence is Confidence.HIGH else "minor"
    return "critical" if alert.severity == "error" else "info"


def _digest(*parts: str) -> str:
    """GitLab's examples have 32 digits."""
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()[:32]
