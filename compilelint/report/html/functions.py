"""The functions of a run with their source, split into the graphs that Dynamo made of them.

Dynamo compiles a function up to a break, and what follows it as a part of its own that goes on after the line of the
break. In the source these parts lie one below the other, which is how they are shown; what a loop or a branch makes
of it at run time, a listing cannot say.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from compilelint.report.follows import short_path
from compilelint.report.html.code import Highlighter, SourceFinder, last_line
from compilelint.report.html.text import seconds, share
from compilelint.report.model import FrameCost, Observation, ObservationType, Run, Source
from compilelint.report.words import counted, counted_hits, observation_words

_LONGEST = 160
"""Lines: of a longer function, only those around what happened are shown."""
_AROUND = 8
_MOST_LISTED = 150
"""Functions whose source is shown: a run that compiles thousands would not fit into a page."""
_WORTH_LISTING = 1.0
"""Percent of all compiling: of a function that is not the user's, and to which nothing happened."""

Tell = Callable[[Observation], tuple[str, str]]
"""What is said of an observation, and the anchor of the cause that it is part of; empty if it is in none."""
State = Literal["graph", "no-graph", "eager"]


@dataclass(frozen=True, slots=True)
class Part:
    """A function, or the part of it after a break, as it was compiled."""

    state: State
    title: str
    """`graph 2`, `no graph`, `runs without torch.compile`."""
    facts: str
    """`23 operators, compiled 8 times, 0.74 s`."""
    color: int
    """Parts that lie next to each other differ; 0 where there is no graph."""


@dataclass(frozen=True, slots=True)
class Note:
    """What happened at a line, or to the whole function."""

    type: str
    title: str
    text: str
    link: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the listing: the parts that begin above it, the line, and what happened there.

    A row without number stands for lines that are left out.
    """

    number: int | None
    code: Markup
    begins: tuple[Part, ...] = ()
    part: Part | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the source, and what became of it."""

    anchor: str
    name: str
    path: str
    line: int
    own: bool
    """It is the user's: its file belongs to the project."""
    seconds: float
    share: float
    compilations: int
    graphs: int
    notes: tuple[Note, ...]
    tags: tuple[tuple[str, str], ...]
    """What happened to it, by type, in words with a number: `2 recompiles`."""
    parts: tuple[Part, ...]
    lines: tuple[Line, ...]
    """Empty if its source cannot be had, or is not worth the room."""


Key = tuple[str, str]
"""File and name of a function."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What happened, by where."""

    by_path: Mapping[str, Sequence[Observation]]
    breaks_below: Mapping[tuple[str, int], Sequence[Observation]]
    """By file and line, the breaks in what is called there."""


def functions(
    run: Run,
    observations: Sequence[Observation],
    find: SourceFinder,
    lines: Highlighter,
    tell: Tell,
) -> tuple[Function, ...]:
    """What was compiled or broke, the user's own functions first, the most expensive on top.

    The source is listed of those of which there is most to tell; of the rest, only what became of them.
    """
    seen = _seen(observations)
    costs: dict[Key, list[FrameCost]] = {}
    for cost in run.frames:
        costs.setdefault((cost.path, whole(cost.function)), []).append(cost)
    sources: dict[Key, Source | None] = {key: find(key[0], of[0].line) for key, of in costs.items()}
    # A break may lie in a function that was only traced as part of another.
    compiled = set(sources.values())
    for each in observations:
        source = find(each.path, each.line)
        if source is not None and source.function and source not in compiled and each.severity != "info":
            sources.setdefault((each.path, source.function), source)
    made = {key: _function(key, costs.get(key, []), of, run, seen, tell) for key, of in sources.items()}
    for key in sorted(made, key=lambda each: _telling(made[each]))[:_MOST_LISTED]:
        source, function = sources[key], made[key]
        if source is not None and _fits(source, key[1]) and _is_worth_listing(function):
            own = _happened(key, source, seen)
            listing = _listing(source, _parts(costs.get(key, []), own, key[1]), own, seen, lines, tell)
            made[key] = replace(function, lines=tuple(listing))
    return tuple(sorted(made.values(), key=lambda each: (not each.own, -each.seconds, each.path, each.line)))


def _telling(function: Function) -> tuple[bool, bool, float]:
    return not function.own, not function.tags, -function.seconds


def _is_worth_listing(function: Function) -> bool:
    return function.own or bool(function.tags) or function.share >= _WORTH_LISTING


def _seen(observations: Iterable[Observation]) -> _Seen:
    by_path: dict[str, list[Observation]] = {}
    below: dict[tuple[str, int], list[Observation]] = {}
    for each in observations:
        by_path.setdefault(each.path, []).append(each)
        if each.type == "graph-break":
            for place in dict.fromkeys((frame.path, frame.line) for frame in (*each.calls, *each.stack)):
                below.setdefault(place, []).append(each)
    return _Seen(by_path, below)


def whole(function: str) -> str:
    """The function that a part of it belongs to."""
    return function.partition(" (after line ")[0]


def anchor(path: str, function: str) -> str:
    """Where a function stands in the page: the same for each of its parts."""
    name = f"{path}\0{whole(function)}".encode(errors="backslashreplace")
    return f"fn-{hashlib.sha256(name).hexdigest()[:12]}"


def is_own(path: str) -> bool:
    """Whether a file belongs to the project: all others have absolute paths, or lie in what was installed."""
    return not path.startswith(("/", "<")) and path[1:3] != ":/" and "site-packages/" not in path


def _function(
    key: Key, costs: Sequence[FrameCost], source: Source | None, run: Run, seen: _Seen, tell: Tell
) -> Function:
    path, name = key
    own = _happened(key, source, seen)
    parts = _parts(costs, own, name)
    spent = sum(each.seconds for each in costs)
    return Function(
        anchor=anchor(path, name),
        name=name,
        path=short_path(path),
        line=source.line if source is not None else min((each.line for each in costs), default=1),
        own=is_own(path),
        seconds=spent,
        share=share(spent, run.compile_seconds),
        compilations=sum(each.compilations for each in costs),
        graphs=sum(part.state == "graph" for _, part in parts),
        notes=tuple(_head_notes(own, tell)),
        tags=_tags(own),
        parts=tuple(part for _, part in parts),
        lines=(),
    )


def _happened(key: Key, source: Source | None, seen: _Seen) -> list[Observation]:
    return [each for each in seen.by_path.get(key[0], ()) if _is_of(each, key[1], source)]


def _fits(source: Source | None, name: str) -> bool:
    """Whether the source is the function's, and not that of one which holds it: `<listcomp>`, a lambda."""
    return source is not None and source.function.rpartition(".")[2] == name.rpartition(".")[2]


def _is_of(observation: Observation, name: str, source: Source | None) -> bool:
    if whole(observation.function) == name:
        return True
    return source is not None and source.line <= observation.line <= last_line(source) and _fits(source, name)


def _parts(
    costs: Sequence[FrameCost], observations: Sequence[Observation], name: str
) -> tuple[tuple[int | None, Part], ...]:
    """The parts in the order of the source, each with the line after which it begins; None for the beginning."""
    dropped = {
        frame.function
        for each in observations
        for frame in each.dropped
        if each.frame_dropped and whole(frame.function) == name
    }
    found: list[tuple[int | None, Part]] = []
    graphs = 0
    for cost in sorted(costs, key=lambda each: (each.resumed_at is not None, each.resumed_at or 0)):
        is_graph = cost.compilations > 0 and cost.ops != 0
        graphs += is_graph
        found.append((cost.resumed_at, _part(cost, graphs if is_graph else 0, cost.function in dropped)))
    if not found and dropped:
        found.append((None, Part("eager", "runs without torch.compile", "", 0)))
    return tuple(found)


def _part(cost: FrameCost, number: int, is_dropped: bool) -> Part:
    backward = f", {seconds(cost.backward_seconds)} of it backward" if cost.backward_seconds else ""
    spent = f"{seconds(cost.seconds)}{backward}"
    if number:
        times = "once" if cost.compilations == 1 else f"{cost.compilations} times"
        ops = f"{counted(cost.ops, 'operator')}, " if cost.ops is not None else ""
        facts = f"{ops}compiled {times}, {spent}" + (", given up since" if is_dropped else "")
        return Part("graph", f"graph {number}", facts, (number - 1) % 6 + 1)
    if is_dropped or not cost.compilations:
        return Part("eager", "runs without torch.compile", f"given up after {spent}", 0)
    return Part("no-graph", "no graph", f"nothing of torch's to compile, {spent}", 0)


def _tags(observations: Iterable[Observation]) -> tuple[tuple[str, str], ...]:
    numbers: Counter[ObservationType] = Counter()
    for each in observations:
        numbers[each.type] += each.hits
    return tuple((kind, counted_hits(number, kind)) for kind, number in numbers.items())


def _head_notes(observations: Iterable[Observation], tell: Tell) -> Iterator[Note]:
    """What is about the whole function."""
    for each in observations:
        if each.type not in ("graph-break", "compile-error"):
            times = f" ({each.hits} times)" if each.hits > 1 else ""
            said, link = tell(each)
            yield Note(each.type, observation_words(each.type), f"{said}{times}", link)


def _listing(
    source: Source,
    parts: Sequence[tuple[int | None, Part]],
    own: Sequence[Observation],
    seen: _Seen,
    lines: Highlighter,
    tell: Tell,
) -> Iterator[Line]:
    begins: dict[int, list[Part]] = {}
    for after, part in parts:
        begins.setdefault(source.line if after is None else after + 1, []).append(part)
    notes = _line_notes(source, own, seen, tell, {after for after, _ in parts if after is not None})
    last = last_line(source)
    telling = {source.line, last, *(line for line in begins), *(line - 1 for line in begins), *notes}
    current: Part | None = None
    left_out = 0
    for number, code in enumerate(lines(source), source.line):
        here = tuple(begins.get(number, ()))
        current = here[-1] if here else current
        if last - source.line >= _LONGEST and not any(abs(number - each) <= _AROUND for each in telling):
            left_out += 1
            continue
        if left_out:
            yield Line(None, Markup("… {} …").format(counted(left_out, "line")), part=current)
            left_out = 0
        yield Line(number, code, here, current, tuple(notes.get(number, ())))
    if trailing := tuple(part for line, found in begins.items() if line > last for part in found):
        yield Line(None, Markup(""), trailing, trailing[-1])


def _line_notes(
    source: Source,
    own: Iterable[Observation],
    seen: _Seen,
    tell: Tell,
    resumed: set[int],
) -> Mapping[int, list[Note]]:
    """What is about single lines: where it broke, and the calls below which it did."""
    notes: dict[int, list[Note]] = {}
    for each in own:
        if each.type in ("graph-break", "compile-error"):
            times = f" ({each.hits} times)" if each.hits > 1 else ""
            said, link = tell(each)
            note = Note(each.type, observation_words(each.type), f"{said}{times}", link)
            notes.setdefault(each.line, []).append(note)
    for line in sorted(resumed - set(notes)):
        for each in seen.breaks_below.get((source.path, line), ())[:2]:
            said, link = tell(each)
            text = f"{said}, in what this calls ({short_path(each.path)}:{each.line})"
            notes.setdefault(line, []).append(Note("graph-break", "graph break", text, link))
    return notes
