"""What compiling cost, and what of it is due to breaks and recompiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from compilelint.report.model import FrameCost
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CacheUse,
    CompileEnd,
    CompileStart,
    Event,
    FirstResult,
    GraphBreak,
    LimitHit,
    Recompile,
)
from compilelint.runtime.seen import parts
from compilelint.runtime.session import Session

Attempt = tuple[str, int]
_COMPILED_AGAIN = (Recompile, LimitHit)


def attempts(events: Iterable[Event]) -> list[Attempt | None]:
    """For each event, the compilation that it is about: Dynamo's id, and the how manieth use of that id.

    Ids begin anew after `torch._dynamo.reset()`; None where an event has no id.
    """
    started: Counter[str] = Counter()
    found: list[Attempt | None] = []
    for event in events:
        compile_id: str | None = getattr(event, "compile_id", None)
        if isinstance(event, CompileStart):
            started[event.compile_id] += 1
        found.append((compile_id, started[compile_id]) if compile_id is not None else None)
    return found


def codes(events: Sequence[Event]) -> dict[Attempt | None, StackFrame]:
    """The code of each compilation: a backward graph has that of its forward, which alone is told."""
    pairs = zip(events, attempts(events), strict=True)
    return {of: event.code for event, of in pairs if isinstance(event, (CompileStart, CompileEnd)) and event.code}


def pieces(events: Sequence[Event]) -> dict[int, float]:
    """For the position of each break and recompile, the seconds that it cost.

    A break costs what compiling its frame took, and that of the parts that go on after it; breaks that
    share a frame share its time. What is compiled again is the cost of the recompile alone.
    """
    attempt_at = attempts(events)
    again = {of for of, event in zip(attempt_at, events, strict=True) if isinstance(event, _COMPILED_AGAIN)}
    frame_shares: dict[Attempt, list[int]] = {}
    line_shares: dict[tuple[str, int], list[int]] = {}
    spent: dict[int, float] = {}
    for position, (event, attempt) in enumerate(zip(events, attempt_at, strict=True)):
        if not isinstance(event, (GraphBreak, *_COMPILED_AGAIN)):
            continue
        spent[position] = 0.0
        is_break = isinstance(event, GraphBreak)
        if attempt is not None and is_break != (attempt in again):
            frame_shares.setdefault(attempt, []).append(position)
        if isinstance(event, GraphBreak):
            for frame in event.stack:
                line_shares.setdefault((frame.path, frame.line), []).append(position)
    for event, attempt in zip(events, attempt_at, strict=True):
        if not isinstance(event, CompileEnd):
            continue
        sharing = frame_shares.get(attempt, []) if attempt is not None else []
        if not sharing and event.code is not None and (line := parts.resumed_at(event.code.function)) is not None:
            sharing = line_shares.get((event.code.path, line), [])
        for position in sharing:
            spent[position] += (event.seconds or 0.0) / len(sharing)
    return spent


def frames(sessions: Iterable[Session]) -> tuple[FrameCost, ...]:
    """What each function took, the most expensive first; of ranks, the one that spent most counts."""
    worst: dict[tuple[str, int, str], FrameCost] = {}
    for session in sessions:
        of_session: dict[tuple[str, int, str], FrameCost] = {}
        code_of = codes(session.events)
        for event, attempt in zip(session.events, attempts(session.events), strict=True):
            if not isinstance(event, CompileEnd):
                continue
            code = event.code or code_of.get(attempt)
            if code is None:
                continue
            name = parts.part(code.function)
            key = (code.path, code.line, name)
            known = of_session.get(
                key, FrameCost(code.path, code.line, name, 0, 0.0, resumed_at=parts.resumed_at(code.function))
            )
            seconds = event.seconds or 0.0
            of_session[key] = replace(
                known,
                compilations=known.compilations + (event.ok and not event.backward),
                seconds=known.seconds + seconds,
                ops=max((ops for ops in (known.ops, event.ops) if ops is not None), default=None),
                backward_seconds=known.backward_seconds + (seconds if event.backward else 0.0),
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
