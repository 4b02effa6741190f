"""Why a report may not be the whole truth, beside files that could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.report.model import Report, Run
from compilelint.report.run_rules import NOTHING_COMPILED
from compilelint.report.telling import causes_of, is_inner


def doubts(report: Report) -> tuple[str, ...]:
    """One sentence each, without a full stop. A check has none, nor a run that came to its end and could be read."""
    return tuple(_doubts(report, report.run)) if report.run is not None else ()


def nothing_compiled(run: Run | None) -> str:
    """Why nothing was compiled, as far as that is known."""
    if run is None or not run.compile_calls:
        return "no call of `torch.compile` was seen"
    return "what the program gave to `torch.compile` was never called, or gave no graph"


def _doubts(report: Report, run: Run) -> Iterator[str]:
    if not run.compilations and all(is_inner(each) for each in causes_of(report)):
        yield f"Nothing was compiled: {nothing_compiled(run)} (`compilelint rule {NOTHING_COMPILED}`)"
    for text in run.unreadable:
        yield f"Not all that Dynamo said could be read: {text}"
    if run.cut_off:
        yield "The run was cut off: this is what was seen until then"
