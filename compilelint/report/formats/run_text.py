"""The report of a run for people: what it was, a block per cause, the most expensive first, then the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from compilelint.report.causes import Cause, causes
from compilelint.report.follows import after_break, short_path, what_else
from compilelint.report.formats.check_text import error_line, note
from compilelint.report.model import Budget, Finding, Observation, Report, Run, Verdict
from compilelint.report.order import ordered_errors, ordered_findings, ordered_observations
from compilelint.report.run_rules import NOTHING_COMPILED, RUN_RULES
from compilelint.report.stack import StackFrame
from compilelint.report.terminal.cells import printable
from compilelint.report.terminal.frame import code_frame
from compilelint.report.terminal.paint import Paint, ansi, plain
from compilelint.report.words import counted, observation_words

_VERDICTS: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "not-reached": "not reached",
    "refuted": "refuted",
}
_STEPS = 4
_LONGEST_TITLE = 120
_LONGEST_NAME = 48
_FRAMES_SHOWN = 5
_MOST_INNER = 8
_WORTH_SHOWING = 0.05
"""Seconds: what compiled faster than this is not listed."""


def render_run(report: Report, *, color: bool = False, width: int = 80) -> str:
    """The whole report of a run, ending in a newline. `report.run` must be given."""
    run = report.run
    if run is None:
        raise ValueError("a report without a run is shown by compilelint.report.formats.check_text")
    paint = ansi if color else plain
    findings = {finding.fingerprint: finding for finding in report.findings}
    every = causes(each for each in report.observations if not each.accepted)
    shown = [each for each in every if not _is_inner(each)]
    accepted = ordered_observations(each for each in report.observations if each.accepted)
    blocks = [
        "\n".join(_head(run, paint)),
        *([paint(f"{len(shown)} causes, the one to change first on top:", "bold")] if len(shown) > 1 else ()),
        *("\n".join(_cause(each, _finding(each, findings), run, paint, width)) for each in shown),
        *_inner([each.main for each in every if each not in shown], paint),
        *_sections(report, accepted, run, paint),
    ]
    if report.errors:
        blocks.append("\n".join(error_line(each, paint) for each in ordered_errors(report.errors)))
    if run.budgets:
        blocks.append("\n".join(_budget(each, paint) for each in run.budgets))
    return "\n\n".join([*blocks, _summary(report, shown, paint)]) + "\n"


def _finding(cause: Cause, findings: Mapping[str, Finding]) -> Finding | None:
    """What predicted a cause, or part of it. A change that many share may be predicted for one of them alone."""
    parts = (cause.main, *(() if cause.main.change else cause.others))
    predicted = (findings.get(each.finding or "") for each in parts)
    return next((finding for finding in predicted if finding is not None), None)


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
        costly = [each for each in run.frames[:_FRAMES_SHOWN] if each.seconds >= _WORTH_SHOWING]
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


def _cause(cause: Cause, finding: Finding | None, run: Run, paint: Paint, width: int) -> Iterator[str]:
    main, inner = cause.main, ""
    if finding is not None and _is_below(main, finding):
        reason = "" if finding.library else f": {main.reason}"  # said above
        inner = f"{short_path(main.path)}:{main.line}{reason}"
        main = replace(main, path=finding.path, line=finding.line, source_line=finding.source_line)
        cause = replace(cause, main=main)
    said = finding.message if finding is not None and _speaks_for(finding, main) else main.reason
    place = f"{short_path(main.path)}:{main.line}:"
    yield f"{paint(place, 'path')} {paint(observation_words(main.type), main.severity)}: {printable(said)}"
    margin = " " * len(str(main.line))
    if main.source_line.strip():
        column, end = _columns(main, finding)
        yield from code_frame(
            main.source_line,
            main.line,
            column,
            end,
            label=_cost(cause),
            role=main.severity,
            paint=paint,
            width=width,
        )
    else:
        yield from note("cost", _cost(cause), margin, paint, width)
    if inner:
        yield from note("inside", inner, margin, paint, width)
    for title, text in _notes(cause, finding, run):
        yield from note(title, text, margin, paint, width)


def _is_below(observation: Observation, finding: Finding) -> bool:
    """Whether a break is in somebody else's code, below the user's line that the finding is about."""
    owner = observation.owner
    return (
        observation.type == "graph-break"
        and owner is not None
        and finding.path == owner.path != observation.path
        and finding.line <= owner.line <= finding.end_line
    )


def _speaks_for(finding: Finding, observation: Observation) -> bool:
    """Whether the rule's words are the better ones: they are about this very line of source.

    Those of a finding in a package are about the first of its places.
    """
    return (
        not finding.library
        and _at(finding, observation)
        and observation.type not in ("compile-error", "repeated-blocks")
    )


def _at(finding: Finding, observation: Observation) -> bool:
    return finding.path == observation.path and finding.line <= observation.line <= finding.end_line


def _columns(observation: Observation, finding: Finding | None) -> tuple[int, int | None]:
    if finding and finding.path == observation.path and finding.line == observation.line:
        return finding.column, finding.end_column if finding.end_line == finding.line else None
    text = observation.source_line
    return len(text) - len(text.lstrip()) + 1, None


def _notes(cause: Cause, finding: Finding | None, run: Run) -> Iterator[tuple[str, str]]:
    main = cause.main
    if main.frame_dropped and main.type == "graph-break":
        yield "worse", _dropped(main)
    ranks = sorted({rank for each in (main, *cause.others) for rank in each.ranks})
    if len(run.ranks) > 1 and ranks != list(run.ranks):
        listed = ", ".join(map(str, ranks))
        yield (
            "ranks",
            f"only rank{'s'[: len(ranks) - 1]} {listed} of {len(run.ranks)}: the others wait meanwhile",
        )
    for also in what_else(cause):
        yield "also", also
    if cause.after is not None:
        yield "after", after_break(cause.after)
    if main.type != "repeated-blocks" and (route := _route(main)):  # that is at the call itself
        yield "reached", route
    counted_blocks = main.type == "repeated-blocks"  # only the run has the names and the number
    advice = main.advice if counted_blocks or not finding else finding.suggestion or main.advice
    if advice:
        yield "help", advice
    if named := _dynamo(main):
        yield "dynamo", named
    if finding is not None:
        where = "" if _at(finding, main) else f" at {short_path(finding.path)}:{finding.line}"
        yield "check", f"{finding.code} {finding.name}{where} is confirmed; `compilelint rule {finding.code}`"
    else:
        foreseen = " no rule predicted it;" if main.verdict else ""
        yield "rule", f"{RUN_RULES[main.type]}:{foreseen} `compilelint rule {RUN_RULES[main.type]}`"


def _dropped(observation: Observation) -> str:
    why = f"{', '.join(observation.aggravated_by)}: " if observation.aggravated_by else ""
    named = [f"all of `{frame.function}` ({_place(frame)})" for frame in observation.dropped]
    shown, more = named[:_STEPS], len(named) - _STEPS
    whole = ", ".join(shown) + (f" and {more} more" if more > 0 else "") or "the whole function"
    return f"{why}Dynamo drops {whole}, which {'run' if len(named) > 1 else 'runs'} without torch.compile"


def _route(observation: Observation) -> str:
    """The compile call, then the frames inside of it, as far as they tell more than the place itself."""
    inside = [frame for frame in observation.stack[observation.inside :] if not _is_of_torch(frame)]
    if inside and (inside[-1].path, inside[-1].line) == (observation.path, observation.line):
        inside = inside[:-1]
    shown = inside[-_STEPS:]
    steps = [f"{_place(frame)} {frame.function}" for frame in shown]
    if len(inside) > len(shown):
        steps.insert(0, f"({len(inside) - len(shown)} more)")
    call = re.sub(r"^(.+?)(?=:\d+ )", lambda found: short_path(found[1]), observation.compiled_by)
    return " → ".join([*([call] if call else []), *steps])


def _is_of_torch(frame: StackFrame) -> bool:
    return short_path(frame.path).startswith("torch/")


def _place(frame: StackFrame) -> str:
    return f"{short_path(frame.path)}:{frame.line}"


def _dynamo(observation: Observation) -> str:
    """What to look for in Dynamo's own words."""
    title = " ".join(observation.title.split())
    if observation.type == "graph-break":
        # Before 2.7 some titles are a paragraph with links; what says most comes first.
        short = title if len(title) <= _LONGEST_TITLE else title.partition(". ")[0]
        return f"{observation.gb_id} {title}" if observation.gb_id else short
    return f"guard {title}" if observation.type == "recompile" and title else ""


def _cost(cause: Cause) -> str:
    main = cause.main
    if main.type == "repeated-blocks":  # how much of it the blocks would save is not known
        return f"{cause.compile_seconds:.1f} s of compiling the whole model"
    # Breaks of one line that one rule predicted count together; recompiles have a note of their own.
    breaks = [each for each in cause.others if each.type == main.type == "graph-break"]
    hits, after = (
        sum(counts) for counts in zip(*((each.hits, each.hits_after_warmup) for each in (main, *breaks)), strict=True)
    )
    parts = ["once" if hits == 1 else f"{hits} times"]
    if main.source_line.lstrip().startswith("@"):  # a function begins at its first decorator, which names none
        whole = len(main.function) <= _LONGEST_NAME
        parts.insert(0, f"`{main.function if whole else main.function.rpartition('<locals>.')[2]}`")
    if after != hits:
        parts.append(f"{after} after warm-up")
    if cause.compile_seconds >= _WORTH_SHOWING:
        parts.append(f"{cause.compile_seconds:.1f} s of compiling")
    return ", ".join(parts)


def _sections(report: Report, accepted: Sequence[Observation], run: Run, paint: Paint) -> Iterator[str]:
    """What needs no block of its own: one line each, under a title."""
    if accepted:
        yield _section("Accepted by comments in the source", [_one_line(each) for each in accepted], paint)
    findings = ordered_findings(report.findings)
    # Of files that the run never came to, a number is enough: they may belong to another program.
    come_to = {frame.path for each in report.observations for frame in each.stack} | {
        each.path for each in findings if each.verdict in ("confirmed", "refuted")
    }
    beside = [each for each in findings if each.verdict == "not-reached" and each.path not in come_to]
    by_verdict: dict[Verdict | None, list[str]] = {}
    for finding in findings:
        if finding not in beside and (finding.verdict or finding.path in come_to):
            place = f"{printable(finding.path)}:{finding.line}:{finding.column}"
            line = f"{place}: {finding.code} {printable(finding.message)}"
            by_verdict.setdefault(finding.verdict, []).append(line)
    sections: tuple[tuple[Verdict | None, str], ...] = (
        ("not-reached", f"Hazards in source that were not reached {'before the end' if run.cut_off else ''}"),
        ("refuted", "Refuted: Dynamo traced these lines, and nothing of the kind happened"),
        (None, "Hazards that a run does not show"),
    )
    for verdict, title in sections:
        if of_verdict := by_verdict.get(verdict):
            yield _section(title.rstrip(), of_verdict, paint)
    if beside:
        files = counted(len({each.path for each in beside}), "file")
        more = counted(len(beside), "more hazard")
        yield f"{more} in {files} that this run never came to: `compilelint check` lists them"


def _is_inner(cause: Cause) -> bool:
    return cause.main.severity == "info" and cause.main.type != "repeated-blocks"


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
    return f"budget {budget.name} = {_number(budget.limit)}: {state}, found {_number(budget.found)}"


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.1f}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s"


def _nothing(run: Run | None) -> str:
    if run is None or not run.compile_calls:
        return "no call of `torch.compile` was seen"
    return "what the program gave to `torch.compile` was never called, or gave no graph"


def _summary(report: Report, shown: Sequence[Cause], paint: Paint) -> str:
    if shown:
        kinds = Counter(each.main.type for each in shown)
        parts = [f"{count} {observation_words(kind, count)}" for kind, count in kinds.most_common()]
        found = f"Found {counted(len(shown), 'cause')}"
        lead = f"{paint(found, 'bold')} ({', '.join(parts)})"
    elif report.run is None or not report.run.compilations:
        why = f"{_nothing(report.run)} (`compilelint rule {NOTHING_COMPILED}`)"
        lead = f"{paint('Nothing was compiled', 'error')}: {why}"
    else:
        lead = f"{paint('Nothing broke', 'good')}: no graph break, no recompile, no function left out"
    facts: list[str] = []
    if accepted := sum(each.accepted for each in report.observations):
        facts.append(f"{accepted} accepted")
    verdicts = Counter(each.verdict for each in report.findings)
    told = [f"{verdicts[verdict]} {word}" for verdict, word in _VERDICTS.items() if verdicts[verdict]]
    if told:
        facts.append(f"hazards in source: {', '.join(told)}")
    if unpredicted := sum(each.main.verdict == "runtime-only" for each in shown):
        facts.append(f"{unpredicted} that no rule predicted")
    if report.run and report.run.unreadable:
        facts.append(paint("not all that Dynamo said could be read, so this proves nothing", "error"))
    if report.errors:
        facts.append(counted(len(report.errors), "error"))
    return "; ".join([lead, *facts]) + "."
