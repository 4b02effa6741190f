"""The machine-readable report: docs/report.schema.json says what it holds."""

from __future__ import annotations

import json
from typing import Any

from compilelint import __version__
from compilelint.report.model import Finding, Observation, Problem, Report, StackFrame
from compilelint.report.order import ordered_errors, ordered_findings

SCHEMA_VERSION = 1


def render(report: Report) -> str:
    """The report as one JSON document, ASCII only, with a final newline; equal reports give equal text."""
    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The report as plain dicts, lists and scalars, keys in the order of the documentation."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "compilelint", "version": __version__},
        "target_torch": report.target_torch,
        "summary": {
            "files": report.files,
            "functions_in_regions": report.functions_in_regions,
            "findings": len(report.findings),
            "by_code": report.by_code,
            "duration_s": round(report.duration_s, 3),
        },
        "findings": [_finding(each) for each in ordered_findings(report.findings)],
        "observations": [_observation(each) for each in report.observations],
        "errors": [_error(each) for each in ordered_errors(report.errors)],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "effect": finding.effect,
        "severity": finding.severity,
        "confidence": finding.confidence.label,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "function": finding.function,
        "message": finding.message,
        "suggestion": finding.suggestion,
        "fix": finding.fix,
        "gb_ids": list(finding.gb_ids),
        "reached_from": list(finding.reached_from),
        "aggravated_by": list(finding.aggravated_by),
        "verdict": finding.verdict,
        "fingerprint": finding.fingerprint,
    }


def _observation(observation: Observation) -> dict[str, Any]:
    return {
        "type": observation.type,
        "reason": observation.reason,
        "gb_id": observation.gb_id,
        "path": observation.path,
        "line": observation.line,
        "function": observation.function,
        "hits": observation.hits,
        "compile_seconds": round(observation.compile_seconds, 3),
        "ranks": list(observation.ranks),
        "stack": [_frame(each) for each in observation.stack],
        "finding": observation.finding,
    }


def _frame(frame: StackFrame) -> dict[str, Any]:
    return {"path": frame.path, "line": frame.line, "function": frame.function}


def _error(problem: Problem) -> dict[str, Any]:
    return {"path": problem.path, "line": problem.line, "message": problem.message}
