"""The tables of a run: where its time went, what was compiled again, what each process did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compilelint.report.html.functions import Function, anchor, whole
from compilelint.report.html.text import share
from compilelint.report.html.timeline import KIND_WORDS
from compilelint.report.model import CompileKind, Observation, ObservationType, Process, Run
from compilelint.report.words import counted, counted_hits

_WORTH_TELLING = 0.01
"""Of all compiling."""
_COUNTED: Mapping[ObservationType, str] = {
    "graph-break": "place",
    "frame-skipped": "place",
    "recompile": "change",
    "recompile-limit": "function",
    "compile-error": "place",
}
"""What is counted in the head, and what it comes from."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Part of a run's time."""

    name: str
    kind: CompileKind | None
    """None for all that was not compiling."""
    seconds: float
    share: float


@dataclass(frozen=True, slots=True)
class Cost:
    """A row of the table of costs: a function with all its parts."""

    function: Function
    ops: int
    """Operators in the largest graph of each part, together."""
    slices: tuple[Slice, ...]
    """Why it was compiled; shares are those of the most expensive function."""


@dataclass(frozen=True, slots=True)
class Hits:
    """How often something happened, from how many causes."""

    kind: ObservationType
    words: str
    """`52 graph breaks`"""
    source: str
    """`from 15 places`; empty if there are as many."""


@dataclass(frozen=True, slots=True)
class Again:
    """A row of the table of recompiles."""

    observation: Observation
    limit: Observation | None
    """The recompile limit that the function hit."""
    share: float


@dataclass(frozen=True, slots=True)
class Column:
    """A process among others; the figures in which it stands out are named in `apart`."""

    process: Process
    name: str
    share: float
    bar: float
    apart: frozenset[str]


def hits(observations: Sequence[Observation]) -> tuple[Hits, ...]:
    """What happened that counts: nothing that comments accept, nor what torch does to itself."""
    telling = [each for each in observations if not each.accepted and each.severity != "info"]
    found = {kind: [each for each in telling if each.type == kind] for kind in _COUNTED}
    return tuple(
        Hits(
            kind,
            counted_hits(number, kind),
            f"from {counted(len(of_kind), noun)}" if number != len(of_kind) else "",
        )
        for (kind, of_kind), noun in zip(found.items(), _COUNTED.values(), strict=True)
        if (number := sum(each.hits for each in of_kind))
    )


def slices(run: Run) -> tuple[Slice, ...]:
    """What the process that compiled longest did with its time, by why it compiled."""
    if not run.per_process:
        return ()
    index = busiest(run)
    process = run.per_process[index]
    spent: dict[CompileKind, float] = {}
    for each in run.timeline:
        if each.type == "compile" and each.process == index and each.kind is not None:
            spent[each.kind] = spent.get(each.kind, 0.0) + each.seconds
    wall = max(process.wall_seconds, sum(spent.values()))
    rest = wall - sum(spent.values())
    return (
        *(
            Slice(words, kind, spent[kind], share(spent[kind], wall))
            for kind, words in KIND_WORDS.items()
            if spent.get(kind)
        ),
        Slice("everything else", None, rest, share(rest, wall)),
    )


def busiest(run: Run) -> int:
    """The index of the process that compiled longest; 0 if there is none."""
    return max(range(len(run.per_process)), key=lambda each: run.per_process[each].compile_seconds, default=0)


def costs(run: Run, functions: Sequence[Function]) -> tuple[Cost, ...]:
    """What compiling each function cost, the most expensive first."""
    most = max((each.seconds for each in functions), default=0.0)
    ops: Counter[str] = Counter()
    for frame in run.frames:
        ops[anchor(frame.path, frame.function)] += frame.ops if frame.ops and frame.compilations else 0
    spent: dict[str, dict[CompileKind, float]] = {}
    for each in run.timeline:
        if each.type == "compile" and each.kind is not None:
            of = spent.setdefault(anchor(each.path, each.function), {})
            of[each.kind] = of.get(each.kind, 0.0) + each.seconds
    ordered = sorted((each for each in functions if each.seconds), key=lambda each: -each.seconds)
    return tuple(
        Cost(each, ops[each.anchor], _kinds(spent.get(each.anchor, {}), each.seconds, most)) for each in ordered
    )


def _kinds(spent: Mapping[CompileKind, float], own: float, most: float) -> tuple[Slice, ...]:
    """`own` seconds as they were spent on all ranks together."""
    total = sum(spent.values())
    return tuple(
        Slice(words, kind, own * spent[kind] / total, share(own * spent[kind] / total, most))
        for kind, words in KIND_WORDS.items()
        if spent.get(kind)
    )


def unattributed(run: Run) -> float:
    """Seconds of compiling of which nobody says what function they were spent on; on ranks this cannot be told."""
    rest = run.compile_seconds - sum(each.seconds for each in run.frames)
    return rest if len(run.per_process) == 1 and rest > _WORTH_TELLING * run.compile_seconds else 0.0


def recompiles(run: Run, observations: Sequence[Observation]) -> tuple[Again, ...]:
    """What was compiled again, the most expensive first."""
    limits: Mapping[tuple[str, str], Observation] = {
        (each.path, whole(each.function)): each for each in observations if each.type == "recompile-limit"
    }
    again = sorted(
        (each for each in observations if each.type == "recompile"),
        key=lambda each: (-each.compile_seconds, -each.hits, each.path, each.line),
    )
    return tuple(
        Again(each, limits.get((each.path, whole(each.function))), share(each.compile_seconds, run.compile_seconds))
        for each in again
    )


def processes(run: Run) -> tuple[Column, ...]:
    """The processes that compiled or are ranks, if there are several."""
    told = [each for each in run.per_process if each.rank is not None or each.compilations or each.compile_seconds]
    if len(told) < 2:
        return ()
    most = max(each.compile_seconds for each in told)
    ordered = sorted(told, key=lambda each: (each.rank is None, each.rank or 0, each.began))
    return tuple(
        Column(
            process=each,
            name=f"rank {each.rank}" if each.rank is not None else f"process {each.pid}",
            share=share(each.compile_seconds, each.wall_seconds),
            bar=share(each.compile_seconds, most),
            apart=frozenset(
                figure
                for figure in ("breaks", "recompiles", "compilations", "ended")
                if getattr(each, figure) != getattr(_usual(told), figure)
            ),
        )
        for each in ordered
    )


def _usual(told: Sequence[Process]) -> Process:
    """The process that the others are held against: the one that compiled least often."""
    return min(told, key=lambda each: (each.recompiles, each.breaks, each.compilations))
