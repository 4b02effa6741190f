"""The machine-readable report: docs/report.schema.json says what it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compilelint import __version__
from compilelint.report.formats import Look
from compilelint.report.model import (
    Budget,
    Finding,
    FrameCost,
    LibraryPlace,
    Moment,
    Observation,
    Problem,
    Process,
    Report,
    Run,
)
from compilelint.report.order import ordered_errors, ordered_findings, ordered_observations
from compilelint.report.run_rules import rule_of
from compilelint.report.stack import StackFrame

SCHEMA_VERSION = 1


def render(report: Report, look: Look | None = None) -> str:
    """The report as one JSON document, ASCII only, with a final newline; equal reports give equal text."""
    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The report as plain dicts, lists and scalars, keys in the order of the documentation."""
    findings = {each.fingerprint: each for each in report.findings}
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "compilelint", "version": __version__},
        "target_torch": report.target_torch,
        "summary": {
            "files": report.files,
            "functions_in_regions": report.functions_in_regions,
            "findings": len(report.findings),
            "by_code": report.by_code,
            "observations": len(report.observations),
            "in_baseline": report.in_baseline,
            "on_unchanged_lines": report.on_unchanged_lines,
            "duration_s": round(report.duration_s, 3),
        },
        "findings": [_finding(each) for each in ordered_findings(report.findings)],
        "observations": [_observation(each, findings) for each in ordered_observations(report.observations)],
        "run": _run(report.run) if report.run else None,
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
        "cell": finding.cell,
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
        "library": [_library_place(each) for each in finding.library],
        "verdict": finding.verdict,
        "fingerprint": finding.fingerprint,
    }


def _library_place(place: LibraryPlace) -> dict[str, Any]:
    return {"path": place.path, "line": place.line, "end_line": place.end_line, "function": place.function}


def _observation(observation: Observation, findings: Mapping[str, Finding]) -> dict[str, Any]:
    return {
        "type": observation.type,
        "code": rule_of(observation, findings),
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
        "verdict": observation.verdict,
        "severity": observation.severity,
        "advice": observation.advice,
        "title": observation.title,
        "context": observation.context,
        "owner": _frame(observation.owner) if observation.owner else None,
        "compiled_by": observation.compiled_by,
        "frame": _frame(observation.frame) if observation.frame else None,
        "inside": observation.inside,
        "variable": observation.variable,
        "change": observation.change,
        "aggravated_by": list(observation.aggravated_by),
        "frame_dropped": observation.frame_dropped,
        "dropped": [_frame(each) for each in observation.dropped],
        "hits_after_warmup": observation.hits_after_warmup,
        "accepted": observation.accepted,
        "values": list(observation.values),
    }


def _run(run: Run) -> dict[str, Any]:
    first = run.first_result_seconds
    return {
        "program": run.program,
        "torch": run.torch,
        "processes": run.processes,
        "ranks": list(run.ranks),
        "ended": run.ended,
        "cut_off": run.cut_off,
        "compile_calls": run.compile_calls,
        "compiled_frames": run.compiled_frames,
        "compilations": run.compilations,
        "compile_seconds": round(run.compile_seconds, 3),
        "first_result_seconds": None if first is None else round(first, 3),
        "cache_hits": run.cache_hits,
        "cache_misses": run.cache_misses,
        "started": round(run.started, 3),
        "wall_seconds": round(run.wall_seconds, 3),
        "frames": [_cost(each) for each in run.frames],
        "per_process": [_process(each) for each in run.per_process],
        "timeline": [_moment(each) for each in run.timeline],
        "budgets": [_budget(each) for each in run.budgets],
        "unreadable": list(run.unreadable),
        "notes": list(run.notes),
        "root": run.root,
    }


def _cost(cost: FrameCost) -> dict[str, Any]:
    return {
        "path": cost.path,
        "line": cost.line,
        "function": cost.function,
        "compilations": cost.compilations,
        "seconds": round(cost.seconds, 3),
        "ops": cost.ops,
        "resumed_at": cost.resumed_at,
        "backward_seconds": round(cost.backward_seconds, 3),
    }


def _process(process: Process) -> dict[str, Any]:
    first = process.first_result_seconds
    return {
        "pid": process.pid,
        "rank": process.rank,
        "began": round(process.began, 3),
        "wall_seconds": round(process.wall_seconds, 3),
        "compile_seconds": round(process.compile_seconds, 3),
        "compilations": process.compilations,
        "breaks": process.breaks,
        "recompiles": process.recompiles,
        "first_result_seconds": None if first is None else round(first, 3),
        "ended": process.ended,
        "cut_off": process.cut_off,
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "type": moment.type,
        "at": round(moment.at, 3),
        "seconds": round(moment.seconds, 3),
        "process": moment.process,
        "kind": moment.kind,
        "path": moment.path,
        "line": moment.line,
        "function": moment.function,
        "compiled_by": moment.compiled_by,
        "compile_id": moment.compile_id,
        "ok": moment.ok,
    }


def _budget(budget: Budget) -> dict[str, Any]:
    return {
        "name": budget.name,
        "limit": budget.limit,
        "found": round(budget.found, 3),
        "broken": budget.broken,
    }


def _frame(frame: StackFrame) -> dict[str, Any]:
    return {"path": frame.path, "line": frame.line, "function": frame.function}


def _error(problem: Problem) -> dict[str, Any]:
    return {"path": problem.path, "cell": problem.cell, "line": problem.line, "message": problem.message}
