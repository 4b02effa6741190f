"""The report of a run for people: what it was, a block per cause, the most expensive first, then the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilelint.report.follows import short_path
from compilelint.report.formats.check_text import error_line, note
from compilelint.report.model import Budget, Observation, Report, Run, Verdict
from compilelint.report.order import ordered_errors, ordered_findings, ordered_observations
from compilelint.report.place import place
from compilelint.report.reach import come_to, is_beside, told_beside
from compilelint.report.summary import summary
from compilelint.report.telling import WORTH_TELLING, Told, causes_of, is_inner, told
from compilelint.report.terminal.cells import printable
from compilelint.report.terminal.frame import code_frame
from compilelint.report.terminal.paint import Paint, ansi, plain
from compilelint.report.words import amount, counted, observation_words

_FRAMES_SHOWN = 5
_MOST_INNER = 8


def render_run(report: Report, *, color: bool = False, width: int = 80) -> str:
    """The whole report of a run, ending in a newline. `report.run` must be given."""
    run = report.run
    if run is None:
        raise ValueError("a report without a run is shown by compilelint.report.formats.check_text")
    paint = ansi if color else plain
    findings = {finding.fingerprint: finding for finding in report.findings}
    every = causes_of(report)
    shown = [each for each in every if not is_inner(each)]
    accepted = ordered_observations(each for each in report.observations if each.accepted)
    blocks = [
        "\n".join(_head(run, paint)),
        *([paint(f"{len(shown)} causes, the one to change first on top:", "bold")] if len(shown) > 1 else ()),
        *("\n".join(_cause(told(each, findings, run), paint, width)) for each in shown),
        *_inner([each.main for each in every if is_inner(each)], paint),
        *_sections(report, accepted, run, paint),
    ]
    if report.errors:
        blocks.append("\n".join(error_line(each, paint) for each in ordered_errors(report.errors)))
    if run.budgets:
        blocks.append("\n".join(_budget(each, paint) for each in run.budgets))
    return "\n\n".join([*blocks, summary(report, paint)]) + "\n"


def _one_line(observation: Observation) -> str:
    place = f"{short_path(observation.path)}:{observation.line}"
    return f"{place}: {observation_words(observation.type)}: {printable(observation.reason)}"


def _head(run: Run, paint: Paint) -> Iterator[str]:
    ranks = f", {len(run.ranks)} ranks" if len(run.ranks) > 1 else ""
    torch = f"torch {run.torch}" if run.torch else "torch.compile was not loaded"
    yield f"{paint('Run', 'bold')} {printable(run.program)} ({torch}{ranks}; {printable(run.ended)})"
    if run.cut_off:
        yield f"{paint('The run was cut off:', 'error')} this is what was seen until then."
    if run.compilations:
        # A part of a function that is compiled again is a function that was compiled once.
        first = f", first result after {run.first_result_seconds:.1f} s" if run.first_result_seconds is not None else ""
        yield (
            f"Compiled {counted(run.compiled_frames, 'piece')} of code in "
            f"{counted(run.compilations, 'compilation')}, {_seconds(run.compile_seconds)}{first}"
            f"{_caches(run)}"
        )
        costly = [each for each in run.frames[:_FRAMES_SHOWN] if each.seconds >= WORTH_TELLING]
        for each in costly:
            times = f", {each.compilations} times" if each.compilations > 1 else ""
            if each.ops == 0 or not each.compilations:
                times = ", no graph"
            place = f"{short_path(each.path)}:{each.line}"
            yield f"  {each.seconds:6.2f} s  {printable(each.function)} {paint(place, 'path')}{times}"
        if len(run.frames) > len(costly) and costly:
            rest = sum(each.seconds for each in run.frames[len(costly) :])
            yield f"  {rest:6.2f} s  {counted(len(run.frames) - len(costly), 'other piece')}"
    for text in run.unreadable:
        yield f"{paint('could not be read:', 'error')} {printable(text)}"
    for text in run.notes:
        yield f"{paint('note:', 'note')} {printable(text)}"


def _caches(run: Run) -> str:
    if not run.cache_hits and not run.cache_misses:
        return ""
    hits = counted(run.cache_hits, "hit")
    misses = f"{run.cache_misses} miss" + ("" if run.cache_misses == 1 else "es")
    return f"; compile caches: {hits}, {misses}"


def _cause(cause: Told, paint: Paint, width: int) -> Iterator[str]:
    main = cause.main
    place = f"{short_path(main.path)}:{main.line}:"
    yield f"{paint(place, 'path')} {paint(observation_words(main.type), main.severity)}: {printable(cause.said)}"
    margin = " " * len(str(main.line))
    if main.source_line.strip():
        column, end = cause.columns
        yield from code_frame(
            main.source_line,
            main.line,
            column,
            end,
            label=cause.cost,
            role=main.severity,
            paint=paint,
            width=width,
        )
    else:
        yield from note("cost", cause.cost, margin, paint, width)
    for title, text in cause.notes:
        yield from note(title, text, margin, paint, width)


def _sections(report: Report, accepted: Sequence[Observation], run: Run, paint: Paint) -> Iterator[str]:
    """What needs no block of its own: one line each, under a title."""
    if accepted:
        yield _section("Accepted by comments in the source", [_one_line(each) for each in accepted], paint)
    files = come_to(report)
    by_verdict: dict[Verdict | None, list[str]] = {}
    for finding in ordered_findings(report.findings):
        if not is_beside(finding, files):
            line = f"{printable(place(finding))}: {finding.code} {printable(finding.message)}"
            by_verdict.setdefault(finding.verdict, []).append(line)
    sections: tuple[tuple[Verdict | None, str], ...] = (
        ("not-reached", f"Hazards in source that were not reached {'before the end' if run.cut_off else ''}"),
        ("refuted", "Refuted: Dynamo traced these lines, and nothing of the kind happened"),
        (None, "Hazards that this run neither confirms nor refutes"),
    )
    for verdict, title in sections:
        if of_verdict := by_verdict.get(verdict):
            yield _section(title.rstrip(), of_verdict, paint)
    if more := told_beside([each for each in report.findings if is_beside(each, files)]):
        yield more


def _inner(observations: Sequence[Observation], paint: Paint) -> Iterator[str]:
    if observations:
        lines = [_one_line(each) for each in observations]
        title = "Inside torch, Python and what they import: nothing of yours to change"
        yield _section(title, lines, paint, most=_MOST_INNER)


def _section(title: str, lines: Sequence[str], paint: Paint, most: int | None = None) -> str:
    shown = [f"  {line}" for line in lines[:most]]
    rest = [f"  … and {len(lines) - len(shown)} more: --format json lists all"] if len(lines) > len(shown) else []
    return "\n".join([f"{paint(title, 'bold')} ({len(lines)}):", *shown, *rest])


def _budget(budget: Budget, paint: Paint) -> str:
    state = paint("broken", "error") if budget.broken else paint("kept", "good")
    return f"budget {budget.name} = {amount(budget.limit)}: {state}, found {amount(budget.found)}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s"
