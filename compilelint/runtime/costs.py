"""What compiling cost, and what of it is due to breaks and recompiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from compilelint.report.model import FrameCost
from compilelint.runtime.events import (
    CacheUse,
    CompileEnd,
    Event,
    FirstResult,
    GraphBreak,
    LimitHit,
    Recompile,
)
from compilelint.runtime.session import Session

_RESUME = re.compile(r"(?:^|(?<=\.))torch_dynamo_resume_in_(?P<name>.+?)_at_(?P<line>\d+)$")


def origin(function: str) -> str:
    """The function that a part after a break belongs to; other functions are their own.

    A part of a part is called `torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_3_at_5`.
    """
    while found := _RESUME.search(function):
        function = function[: found.start()] + found["name"]
    return function


def resumed_at(function: str) -> int | None:
    """The line after which a part of a function goes on; None for a whole function."""
    found = _RESUME.search(function)
    return int(found["line"]) if found else None


def part(function: str) -> str:
    """How a reader calls a function, or the part of it that goes on after a break."""
    line = resumed_at(function)
    return origin(function) + (f" (after line {line})" if line is not None else "")


def pieces(events: Sequence[Event]) -> dict[int, float]:
    """For the position of each break and recompile, the seconds that it cost.

    A break costs what compiling its frame took, and that of the parts that go on after it; breaks that
    share a frame share its time. A recompile costs its compilation.
    """
    ended = _seconds_by_id(events)
    frame_shares: dict[str, list[int]] = {}
    line_shares: dict[tuple[str, int], list[int]] = {}
    spent: dict[int, float] = {}
    for position, event in enumerate(events):
        if isinstance(event, GraphBreak):
            spent[position] = 0.0
            if event.compile_id is not None:
                frame_shares.setdefault(event.compile_id, []).append(position)
            for frame in event.stack:
                line_shares.setdefault((frame.path, frame.line), []).append(position)
        elif isinstance(event, (Recompile, LimitHit)) and event.compile_id is not None:
            spent[position] = ended.get(event.compile_id, 0.0)
    for compile_id, sharing in frame_shares.items():
        for position in sharing:
            spent[position] += ended.get(compile_id, 0.0) / len(sharing)
    for event in events:
        if not isinstance(event, CompileEnd) or event.code is None or event.compile_id in frame_shares:
            continue
        line = resumed_at(event.code.function)
        sharing = line_shares.get((event.code.path, line), []) if line is not None else []
        for position in sharing:
            spent[position] += (event.seconds or 0.0) / len(sharing)
    return spent


def _seconds_by_id(events: Iterable[Event]) -> dict[str, float]:
    seconds: dict[str, float] = {}
    for event in events:
        if isinstance(event, CompileEnd) and event.compile_id is not None:
            seconds[event.compile_id] = seconds.get(event.compile_id, 0.0) + (event.seconds or 0.0)
    return seconds


def frames(sessions: Iterable[Session]) -> tuple[FrameCost, ...]:
    """What each function took, the most expensive first; of ranks, the one that spent most counts."""
    worst: dict[tuple[str, int, str], FrameCost] = {}
    for session in sessions:
        of_session: dict[tuple[str, int, str], FrameCost] = {}
        for event in session.events:
            if not isinstance(event, CompileEnd) or event.code is None:
                continue
            code = event.code
            name = part(code.function)
            key = (code.path, code.line, name)
            known = of_session.get(key, FrameCost(code.path, code.line, name, 0, 0.0))
            of_session[key] = FrameCost(
                code.path,
                code.line,
                name,
                known.compilations + (event.ok and not event.backward),
                known.seconds + (event.seconds or 0.0),
                max((ops for ops in (known.ops, event.ops) if ops is not None), default=None),
            )
        for key, cost in of_session.items():
            if key not in worst or cost.seconds > worst[key].seconds:
                worst[key] = cost
    return tuple(sorted(worst.values(), key=lambda each: (-each.seconds, each.path, each.line, each.function)))


def compilations(session: Session) -> tuple[CompileEnd, ...]:
    """Those of a process that gave a graph of a forward function."""
    return tuple(
        each
        for each in session.events
        if isinstance(each, CompileEnd) and each.ok and not each.backward and each.ops != 0
    )


def seconds_by_rank(sessions: Iterable[Session], warmup: int = 0) -> float:
    """Spent compiling after the first `warmup` calls, by the rank that spent most: they do it at once."""
    spent: dict[int, float] = {}
    for session in sessions:
        rank = session.header.rank or 0
        spent[rank] = spent.get(rank, 0.0) + _seconds(session, warmup)
    return max(spent.values(), default=0.0)


def _seconds(session: Session, warmup: int) -> float:
    return sum(
        each.seconds or 0.0
        for each in session.events
        if isinstance(each, CompileEnd) and (each.call > warmup or each.call == 0)
    )


def first_result(sessions: Iterable[Session]) -> float | None:
    """How long the slowest first call took."""
    found = [event.seconds for session in sessions for event in session.events if isinstance(event, FirstResult)]
    return max(found, default=None)


def cache_uses(sessions: Iterable[Session], outcome: str) -> int:
    """How often a compile cache answered so: `hit` or `miss`."""
    return sum(
        isinstance(event, CacheUse) and event.outcome == outcome for session in sessions for event in session.events
    )
