"""What to fix first: the causes of a run, each with what a reader needs to act on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compilelint.report.causes import Cause
from compilelint.report.html.code import Highlighter, Row, SourceFinder, excerpt
from compilelint.report.html.text import share
from compilelint.report.model import Finding, Observation, Report, Run
from compilelint.report.place import place
from compilelint.report.stack import StackFrame
from compilelint.report.telling import Told, causes_of, is_inner, told

_AROUND = 3
_LISTED_BELOW = frozenset({"help", "check", "rule", "dynamo"})
"""Notes that have places of their own."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One cause."""

    number: int
    told: Told
    hits: int
    seconds: float
    share: float
    """Percent of what the run spent on compiling."""
    help: str
    foreseen: str
    """The place of the finding that predicted it; empty if none did."""
    checked: bool
    """There was a check that could have."""
    notes: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    stack: tuple[StackFrame, ...]
    """Inside the compiled call, outermost first."""
    callers: tuple[StackFrame, ...]
    only_ranks: tuple[int, ...]
    """Those that did it, if others did not."""
    follows: int | None
    """The number of the cause that this one follows from."""
    leads_to: tuple[int, ...]
    """The numbers of those that follow from this one …"""
    follow_share: float
    """… and what these cost, in percent of what the run spent on compiling."""
    words: tuple[str, ...]
    """What Dynamo itself says of it, line by line."""

    @property
    def anchor(self) -> str:
        return f"cause-{self.number}"


@dataclass(frozen=True, slots=True)
class Fixes:
    """The causes to act on, and what torch and Python do to themselves."""

    shown: tuple[Fix, ...]
    inner: tuple[Observation, ...]
    anchors: Mapping[Observation, str]
    """Of each observation that is part of a cause, where that stands."""
    sentences: Mapping[Observation, str]
    """Of each observation that a cause is told by, what is said of it."""


def fixes(report: Report, run: Run, find: SourceFinder, lines: Highlighter) -> Fixes:
    """The causes of a run, the one to change first on top."""
    findings = {each.fingerprint: each for each in report.findings}
    every = causes_of(report)
    shown = [each for each in every if not is_inner(each)]
    numbers = {each.main: number for number, each in enumerate(shown, start=1)}
    made = tuple(
        _fix(number, told(each, findings, run), shown, numbers, run, find, lines)
        for number, each in enumerate(shown, start=1)
    )
    anchors = {part: fix.anchor for fix, cause in zip(made, shown, strict=True) for part in (cause.main, *cause.others)}
    sentences = {cause.main: fix.told.said for fix, cause in zip(made, shown, strict=True)}
    return Fixes(made, tuple(each.main for each in every if is_inner(each)), anchors, sentences)


def _fix(
    number: int,
    cause: Told,
    every: Sequence[Cause],
    numbers: Mapping[Observation, int],
    run: Run,
    find: SourceFinder,
    lines: Highlighter,
) -> Fix:
    main, notes = cause.main, cause.notes
    following = [each for each in every if each.after is not None and numbers.get(each.after) == number]
    ranks = tuple(sorted({rank for each in (main, *cause.cause.others) for rank in each.ranks}))
    source = find(main.path, main.line)
    return Fix(
        number=number,
        told=cause,
        hits=cause.cause.hits,
        seconds=cause.cause.compile_seconds,
        share=share(cause.cause.compile_seconds, run.compile_seconds),
        help=dict(notes).get("help", ""),
        foreseen=_foreseen(cause.finding),
        checked=main.verdict is not None,
        notes=tuple(each for each in notes if each[0] not in _LISTED_BELOW),
        rows=excerpt(source, main.line, main.source_line, cause.columns, lines, _AROUND),
        stack=main.stack[main.inside :],
        callers=main.stack[: main.inside],
        only_ranks=ranks if len(run.ranks) > 1 and ranks != run.ranks else (),
        follows=numbers.get(cause.cause.after) if cause.cause.after is not None else None,
        leads_to=tuple(numbers[each.main] for each in following),
        follow_share=share(sum(each.compile_seconds for each in following), run.compile_seconds),
        words=tuple(_dynamo(main)),
    )


def _foreseen(finding: Finding | None) -> str:
    return "" if finding is None else place(finding)


def _dynamo(main: Observation) -> Sequence[str]:
    title = f"{main.gb_id} {main.title}" if main.gb_id else main.title
    return [line for text in (title, main.context) for line in text.splitlines() if line.strip()]
