"""The one order in which findings and errors are shown, in every format."""

from __future__ import annotations

from collections.abc import Iterable

from compilelint.report.model import Finding, Problem


def ordered_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By file, then by place; findings at the same place by what they say, so that runs compare equal."""
    return tuple(
        sorted(
            findings,
            key=lambda each: (
                each.path,
                each.line,
                each.column,
                each.code,
                each.end_line,
                each.end_column,
                each.function,
                each.message,
                each.reached_from,
            ),
        )
    )


def ordered_errors(errors: Iterable[Problem]) -> tuple[Problem, ...]:
    """By file and line; errors of a whole file come before those of its lines."""
    return tuple(sorted(errors, key=lambda each: (each.path, each.line or 0, each.message)))
