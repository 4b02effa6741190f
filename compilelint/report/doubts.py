"""Why a run may prove nothing, and what else one must know to judge its report."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.report.model import Report, Run
from compilelint.report.run_rules import NOTHING_COMPILED


def doubts(report: Report) -> tuple[str, ...]:
    """Why it proves nothing, one sentence each, without a full stop; a check has none."""
    return tuple(_doubts(report.run)) if report.run is not None else ()


def remarks(report: Report) -> tuple[str, ...]:
    """What is not as one would expect, though the run fails for none of it; likewise."""
    return tuple(_remarks(report.run)) if report.run is not None else ()


def nothing_compiled(run: Run | None) -> str:
    """Why nothing was compiled, as far as that is known."""
    if run is not None and run.cut_off:
        return "the run was cut off before a first compilation was done"
    if run is not None and run.switched_off:
        return f"`{run.switched_off}` is set, which turns `torch.compile` off"
    if run is None or not run.compile_calls:
        return "no call of `torch.compile` was seen"
    return "what the program gave to `torch.compile` was never called, or gave no graph"


def _doubts(run: Run) -> Iterator[str]:
    if not run.compilations:
        yield f"Nothing was compiled: {nothing_compiled(run)} (`compilelint rule {NOTHING_COMPILED}`)"
    for text in run.unreadable:
        yield f"Not all that Dynamo said could be read: {text}"


def _remarks(run: Run) -> Iterator[str]:
    if run.cut_off:
        yield "The run was cut off: this is what was seen until then"
    yield from run.notes
