"""The timeline of a run as bars and marks in lanes, in percent of its width.

Thousands of compilations stay readable, and small: what would be narrower than can be seen is drawn together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from compilelint.report.follows import short_path
from compilelint.report.html.text import seconds
from compilelint.report.model import CompileKind, Moment, MomentType, ObservationType, Process, Run
from compilelint.report.words import counted, observation_words

_NARROW = 0.35
"""Percent of the width: bars narrower than this join their neighbours …"""
_APART = 0.15
"""… that begin no further than this behind them …"""
_WIDEST = 0.7
"""… until they are as wide as this together."""
_MARK = 0.9
"""Marks of a kind that are nearer to each other than this are one."""
_MOST_LANES = 12
_NAMED = 6
_TICKS = 10
KIND_WORDS: dict[CompileKind, str] = {
    "first": "first compile",
    "after-break": "rest of a function after a break",
    "recompile": "recompile",
    "backward": "backward graph",
}

Link = Callable[[Moment], str]
"""The anchor in the page that tells more of a moment; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A compilation, or several that are too short to be seen alone."""

    left: float
    width: float
    kind: CompileKind
    """Of several, the one that took most."""
    at: float
    seconds: float
    count: int
    ok: bool
    title: str
    link: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that happened in no time, or several of a kind at nearly one time."""

    left: float
    type: MomentType
    at: float
    count: int
    title: str
    link: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A call of torch.compile in a process."""

    process: str
    name: str
    place: str
    seconds: float
    bars: tuple[Bar, ...]
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    left: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """All lanes over one axis of time."""

    seconds: float
    ticks: tuple[Tick, ...]
    lanes: tuple[Lane, ...]


def chart(run: Run, moments: Sequence[Moment], link: Link) -> Chart | None:
    """The timeline of these moments of a run; None if nothing was compiled."""
    if not any(each.type == "compile" for each in moments):
        return None
    end = max(each.at + each.seconds for each in moments)
    whole = max([end, *(each.began + each.wall_seconds for each in run.per_process)])
    by_lane: dict[tuple[int, str], list[Moment]] = {}
    for each in moments:
        by_lane.setdefault((each.process, each.compiled_by), []).append(each)
    costly = sorted(by_lane, key=lambda key: -sum(each.seconds for each in _compiled(by_lane[key])))
    apart = set(costly[: _MOST_LANES if len(costly) <= _MOST_LANES else _MOST_LANES - 1])
    lanes = [
        _lane(process_name(run.per_process, key[0]), key[1], found, whole, link)
        for key, found in sorted(by_lane.items(), key=lambda item: (item[0][0], item[1][0].at))
        if key in apart
    ]
    if rest := [each for key, found in by_lane.items() if key not in apart for each in found]:
        others = counted(len(by_lane) - len(apart), "other call")
        lanes.append(_lane("", others, sorted(rest, key=lambda each: each.at), whole, link))
    return Chart(whole, _ticks(whole), tuple(lanes))


def _lane(process: str, compiled_by: str, moments: Sequence[Moment], whole: float, link: Link) -> Lane:
    place, separator, name = compiled_by.rpartition(" torch.compile(")
    compiled = _compiled(moments)
    return Lane(
        process=process,
        name=f"torch.compile({name}" if separator else compiled_by or "outside of compiled calls",
        place=short_path(place),
        seconds=sum(each.seconds for each in compiled),
        bars=tuple(_bar(group, whole, link) for group in _grouped(compiled, whole)),
        flags=_flags(moments, whole, link),
    )


def _compiled(moments: Iterable[Moment]) -> list[Moment]:
    return [each for each in moments if each.type == "compile"]


def process_name(processes: Sequence[Process], index: int) -> str:
    """`rank 1`, `process 4711`; empty if there is only one."""
    if len(processes) <= 1:
        return ""
    process = processes[index]
    return f"rank {process.rank}" if process.rank is not None else f"process {process.pid}"


def _grouped(compiled: Sequence[Moment], whole: float) -> Iterable[list[Moment]]:
    def width(span: float) -> float:
        return 100 * span / whole

    group: list[Moment] = []
    for each in compiled:
        ended = max((one.at + one.seconds for one in group), default=0.0)
        joins = (
            group
            and width(each.seconds) < _NARROW
            and all(width(one.seconds) < _NARROW for one in group[:1])
            and width(each.at - ended) < _APART
            and width(each.at + each.seconds - group[0].at) < _WIDEST
        )
        if not joins and group:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _bar(group: Sequence[Moment], whole: float, link: Link) -> Bar:
    start, end = group[0].at, max(each.at + each.seconds for each in group)
    spent: dict[CompileKind, float] = {}
    for each in group:
        spent[each.kind or "first"] = spent.get(each.kind or "first", 0.0) + each.seconds
    dearest = max(group, key=lambda each: each.seconds)
    return Bar(
        left=100 * start / whole,
        width=100 * (end - start) / whole,
        kind=max(spent, key=lambda kind: spent[kind]),
        at=start,
        seconds=sum(each.seconds for each in group),
        count=len(group),
        ok=all(each.ok for each in group),
        title=_compilation(group[0]) if len(group) == 1 else _compilations(group),
        link=link(dearest),
    )


def _compilation(moment: Moment) -> str:
    what = KIND_WORDS[moment.kind or "first"] + ("" if moment.ok else ", gave nothing that is used")
    place = f" ({short_path(moment.path)}:{moment.line})" if moment.path else ""
    name = moment.function or "a graph"
    return f"{name}{place}: {what}, {seconds(moment.seconds)}, begun at {seconds(moment.at)}"


def _compilations(group: Sequence[Moment]) -> str:
    spent = sum(each.seconds for each in group)
    names = list(dict.fromkeys(each.function or "a graph" for each in group))
    listed = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return f"{len(group)} compilations, {seconds(spent)}, from {seconds(group[0].at)}: {listed}"


def _flags(moments: Iterable[Moment], whole: float, link: Link) -> tuple[Flag, ...]:
    groups: dict[MomentType, list[list[Moment]]] = {}
    for each in moments:
        if each.type in ("compile", "first-result"):
            continue
        of_type = groups.setdefault(each.type, [[]])
        if of_type[-1] and 100 * (each.at - of_type[-1][0].at) / whole >= _MARK:
            of_type.append([])
        of_type[-1].append(each)
    flags = [_flag(group, whole, link) for of_type in groups.values() for group in of_type]
    flags += [
        Flag(
            left=100 * (each.at + each.seconds) / whole,
            type=each.type,
            at=each.at + each.seconds,
            count=1,
            title=f"first call {'returned' if each.ok else 'raised'} after {seconds(each.seconds)}",
            link="",
        )
        for each in moments
        if each.type == "first-result"
    ]
    return tuple(sorted(flags, key=lambda flag: flag.at))


def _flag(group: Sequence[Moment], whole: float, link: Link) -> Flag:
    first = group[0]
    places = Counter(f"{short_path(each.path)}:{each.line} {each.function}" for each in group)
    listed = ", ".join(place + (f" ({count}×)" if count > 1 else "") for place, count in places.most_common(_NAMED))
    what = observation_words(cast(ObservationType, first.type))
    number = f"{len(group)} × " if len(group) > 1 else ""
    more = " …" if len(places) > _NAMED else ""
    return Flag(
        left=100 * first.at / whole,
        type=first.type,
        at=first.at,
        count=len(group),
        title=f"{number}{what} at {seconds(first.at)}: {listed}{more}",
        link=link(first),
    )


def _ticks(whole: float) -> tuple[Tick, ...]:
    """Round numbers of seconds, about ten of them."""
    rough = whole / _TICKS
    scale = 10 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    step = next(factor * scale for factor in (1, 2, 5, 10) if factor * scale >= rough)
    digits = max(0, -math.floor(math.log10(step))) if step < 1 else 0
    return tuple(
        Tick(100 * index * step / whole, f"{index * step:.{digits}f}") for index in range(int(whole / step) + 1)
    )
