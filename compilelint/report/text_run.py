"""The report of a run for people: what it was, a block per cause, the most expensive first, then the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from compilelint.report.cells import printable
from compilelint.report.frame import code_frame
from compilelint.report.model import (
    Budget,
    Finding,
    Observation,
    ObservationType,
    Report,
    Run,
    StackFrame,
    Verdict,
)
from compilelint.report.order import ordered_errors, ordered_findings, ordered_observations
from compilelint.report.paint import Paint, ansi, plain
from compilelint.report.text import counted, error_line, note

_WORDS: dict[ObservationType, tuple[str, str]] = {
    "graph-break": ("graph break", "graph breaks"),
    "frame-skipped": ("not compiled", "functions not compiled"),
    "recompile": ("recompile", "causes of recompiles"),
    "recompile-limit": ("recompile limit", "recompile limits hit"),
    "compile-error": ("compile error", "compile errors"),
    "cudagraph-skip": ("no CUDA graph", "skipped CUDA graphs"),
    "repeated-blocks": ("repeated blocks", "models of repeated blocks"),
}
_VERDICTS: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "not-reached": "not reached",
    "refuted": "refuted",
}
_LINES_OF_STACK = 4
_FRAMES_SHOWN = 5
_WORTH_SHOWING = 0.05
"""Seconds: what compiled faster than this is not listed."""


def render_run(report: Report, *, color: bool = False, width: int = 80) -> str:
    """The whole report of a run, ending in a newline. `report.run` must be given."""
    run = report.run
    if run is None:
        raise ValueError("a report without a run is shown by compilelint.report.text")
    paint = ansi if color else plain
    findings = {finding.fingerprint: finding for finding in report.findings}
    shown = ordered_observations(each for each in report.observations if not each.accepted)
    accepted = ordered_observations(each for each in report.observations if each.accepted)
    blocks = [
        "\n".join(_head(run, paint)),
        *(
            "\n".join(_observation(each, findings.get(each.finding or ""), run, paint, width))
            for each in shown
        ),
        *_sections(report.findings, accepted, run, paint),
    ]
    if report.errors:
        blocks.append("\n".join(error_line(each, paint) for each in ordered_errors(report.errors)))
    if run.budgets:
        blocks.append("\n".join(_budget(each, paint) for each in run.budgets))
    return "\n\n".join([*blocks, _summary(report, shown, paint)]) + "\n"


def live_line(observation: Observation) -> str:
    """One observation on one line, for those who watch a run."""
    place = f"{printable(observation.path)}:{observation.line}"
    return f"{place}: {_WORDS[observation.type][0]}: {printable(observation.reason)}"


def _head(run: Run, paint: Paint) -> Iterator[str]:
    ranks = f", {len(run.ranks)} ranks" if len(run.ranks) > 1 else ""
    torch = f"torch {run.torch}" if run.torch else "torch was not loaded"
    yield f"{paint('Run', 'bold')} {printable(run.program)} ({torch}{ranks}; {printable(run.ended)})"
    if run.cut_off:
        yield f"{paint('The run was cut off:', 'error')} this is what was seen until then."
    if run.compilations:
        # A part of a function that is compiled again is a function that was compiled once.
        first = (
            f", first result after {run.first_result_seconds:.1f} s"
            if run.first_result_seconds is not None
            else ""
        )
        yield (
            f"Compiled {counted(run.compiled_frames, 'piece')} of code in "
            f"{counted(run.compilations, 'compilation')}, {_seconds(run.compile_seconds)}{first}"
            f"{_caches(run)}"
        )
        costly = [each for each in run.frames[:_FRAMES_SHOWN] if each.seconds >= _WORTH_SHOWING]
        for each in costly:
            times = f", {each.compilations} times" if each.compilations > 1 else ""
            place = f"{printable(each.path)}:{each.line}"
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


def _observation(
    observation: Observation, finding: Finding | None, run: Run, paint: Paint, width: int
) -> Iterator[str]:
    line = observation.line
    kind = _WORDS[observation.type][0]
    place = f"{printable(observation.path)}:{line}:"
    yield (
        f"{paint(place, 'path')} {paint(kind, observation.severity)}: "
        f"{printable(finding.message if finding and _at(finding, observation) else observation.reason)}"
    )
    margin = " " * len(str(line))
    label = _cost(observation)
    if observation.source_line.strip():
        column, end = _columns(observation, finding)
        yield from code_frame(
            observation.source_line,
            line,
            column,
            end,
            label=label,
            role=observation.severity,
            paint=paint,
            width=width,
        )
    else:
        yield from note("cost", label, margin, paint, width)
    for title, text in _notes(observation, finding, run):
        yield from note(title, text, margin, paint, width)


def _at(finding: Finding, observation: Observation) -> bool:
    return finding.path == observation.path and finding.line <= observation.line <= finding.end_line


def _columns(observation: Observation, finding: Finding | None) -> tuple[int, int | None]:
    if finding and finding.path == observation.path and finding.line == observation.line:
        return finding.column, finding.end_column if finding.end_line == finding.line else None
    text = observation.source_line
    return len(text) - len(text.lstrip()) + 1, None


def _notes(observation: Observation, finding: Finding | None, run: Run) -> Iterator[tuple[str, str]]:
    if observation.frame_dropped and observation.type == "graph-break":
        why = f"{', '.join(observation.aggravated_by)}: " if observation.aggravated_by else ""
        yield "worse", f"{why}Dynamo drops the whole function, which runs without torch.compile"
    if len(run.ranks) > 1 and set(observation.ranks) != set(run.ranks):
        ranks = ", ".join(map(str, observation.ranks))
        word = "rank" if len(observation.ranks) == 1 else "ranks"
        yield "ranks", f"only {word} {ranks} of {len(run.ranks)}: the others wait while it compiles"
    if route := _route(observation):
        yield "reached", route
    advice = (finding.suggestion if finding else "") or observation.advice
    if advice:
        yield "help", advice
    if named := _dynamo(observation):
        yield "dynamo", named
    if finding is not None:
        where = "" if _at(finding, observation) else f" at {finding.path}:{finding.line}"
        yield "check", f"confirms {finding.code} {finding.name}{where} (compilelint rule {finding.code})"


def _route(observation: Observation) -> str:
    """The compile call, then the frames inside, as far as they tell more than the place itself."""
    compiled_at = observation.compiled_by.partition(" ")[0]
    stack = [frame for frame in observation.stack if _place(frame) != compiled_at]
    if len(stack) > _LINES_OF_STACK:
        stack = stack[-_LINES_OF_STACK:]
    steps = [f"{_place(frame)} {frame.function}" for frame in stack]
    if len(steps) == 1 and stack[0].line == observation.line and stack[0].path == observation.path:
        steps = []
    return " → ".join([*([observation.compiled_by] if observation.compiled_by else []), *steps])


def _place(frame: StackFrame) -> str:
    return f"{frame.path}:{frame.line}"


def _dynamo(observation: Observation) -> str:
    """What to look for in Dynamo's own words; nothing where the reason says all of it."""
    title = " ".join(observation.title.split())
    if observation.type == "graph-break":
        return f"{observation.gb_id} {title}" if observation.gb_id else title
    return f"guard {title}" if observation.type == "recompile" and title else ""


def _cost(observation: Observation) -> str:
    parts = ["once" if observation.hits == 1 else f"{observation.hits} times"]
    if observation.hits_after_warmup != observation.hits:
        parts.append(f"{observation.hits_after_warmup} after warm-up")
    if observation.compile_seconds >= _WORTH_SHOWING:
        parts.append(f"{observation.compile_seconds:.1f} s of compiling")
    return ", ".join(parts)


def _sections(
    findings: Iterable[Finding], accepted: Sequence[Observation], run: Run, paint: Paint
) -> Iterator[str]:
    """What needs no block of its own: one line each, under a title."""
    if accepted:
        lines = [live_line(each) for each in accepted]
        yield _section("Accepted by comments in the source", lines, paint)
    by_verdict: dict[Verdict | None, list[str]] = {}
    for finding in ordered_findings(findings):
        place = f"{printable(finding.path)}:{finding.line}:{finding.column}"
        line = f"{place}: {finding.code} {printable(finding.message)}"
        by_verdict.setdefault(finding.verdict, []).append(line)
    reached = "before it was cut off" if run.cut_off else "by this run"
    sections: tuple[tuple[Verdict | None, str], ...] = (
        ("not-reached", f"Hazards in source that were not reached {reached}"),
        ("refuted", "Refuted: Dynamo traced these lines, and nothing of the kind happened"),
        (None, "Hazards that a run does not show"),
    )
    for verdict, title in sections:
        if of_verdict := by_verdict.get(verdict):
            yield _section(title, of_verdict, paint)


def _section(title: str, lines: Sequence[str], paint: Paint) -> str:
    return "\n".join([f"{paint(title, 'bold')} ({len(lines)}):", *(f"  {line}" for line in lines)])


def _budget(budget: Budget, paint: Paint) -> str:
    state = paint("broken", "error") if budget.broken else paint("kept", "good")
    return f"budget {budget.name} = {_number(budget.limit)}: {state}, found {_number(budget.found)}"


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.1f}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s"


def _summary(report: Report, shown: Sequence[Observation], paint: Paint) -> str:
    if shown:
        kinds = Counter(each.type for each in shown)
        parts = [f"{count} {_WORDS[kind][0 if count == 1 else 1]}" for kind, count in kinds.most_common()]
        found = f"Found {counted(len(shown), 'cause')}"
        lead = f"{paint(found, 'bold')} ({', '.join(parts)})"
    elif report.run is None or not report.run.compilations:
        nothing = paint("Nothing was compiled", "error")
        lead = f"{nothing}: the program ran no `torch.compile` that gave a graph (try --compile)"
    else:
        lead = f"{paint('Nothing broke', 'good')}: no graph break, no recompile, no function left out"
    facts: list[str] = []
    if len(report.observations) > len(shown):
        facts.append(f"{len(report.observations) - len(shown)} accepted")
    verdicts = Counter(each.verdict for each in report.findings)
    told = [f"{verdicts[verdict]} {word}" for verdict, word in _VERDICTS.items() if verdicts[verdict]]
    if told:
        facts.append(f"hazards in source: {', '.join(told)}")
    if unpredicted := sum(each.verdict == "runtime-only" for each in shown):
        facts.append(f"{unpredicted} that no rule predicted")
    if report.run and report.run.unreadable:
        facts.append(paint("not all that Dynamo said could be read, so this proves nothing", "error"))
    if report.errors:
        facts.append(counted(len(report.errors), "error"))
    return "; ".join([lead, *facts]) + "."
