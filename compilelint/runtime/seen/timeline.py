"""When what happened, in all processes of a run on one clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from compilelint.report.model import CompileKind, Moment
from compilelint.runtime.events import CompileCall, CompileEnd, CompileStart, Event, FirstResult, LimitHit, Recompile
from compilelint.runtime.seen import costs, parts
from compilelint.runtime.seen.observing import Seen, call_place
from compilelint.runtime.session import Session


def last_seen(session: Session) -> float:
    """When a process ended, in seconds since the epoch; of one that was cut off, when it was heard of last."""
    heard = session.header.started + max((event.at for event in session.events), default=0.0)
    return max(session.footer.ended, heard) if session.footer is not None else heard


def beginnings(sessions: Sequence[Session]) -> tuple[float, ...]:
    """For each session, when its run began, in seconds since the epoch.

    Sessions that overlap in time are of one run; others were recorded one after another, and each run has a
    clock of its own. Processes on several machines are as far apart as the clocks of these.
    """
    began = [0.0] * len(sessions)
    start = end = float("-inf")
    for index in sorted(range(len(sessions)), key=lambda each: sessions[each].header.started):
        started = sessions[index].header.started
        if started > end:
            start = started
        end = max(end, last_seen(sessions[index]))
        began[index] = start
    return tuple(began)


def wall_seconds(sessions: Sequence[Session]) -> float:
    """From the beginning of each run to the end of its last process, all runs together."""
    longest: dict[float, float] = {}
    for session, began in zip(sessions, beginnings(sessions), strict=True):
        longest[began] = max(longest.get(began, 0.0), last_seen(session) - began)
    return sum(longest.values())


def moments(session: Session, process: int, began: float, troubles: Iterable[Seen]) -> Iterator[Moment]:
    """What happened in a session, not in order of time.

    `began` is when its run did, `process` the index by which the run knows it; `troubles` are what its events
    came to as observations.
    """
    later = session.header.started - began
    calls = {event.number: call_place(event) for event in session.events if isinstance(event, CompileCall)}
    for seen in troubles:
        if seen.at is None:
            continue
        told = seen.observation
        yield Moment(
            type=told.type,
            at=later + seen.at,
            process=process,
            path=told.path,
            line=told.line,
            function=told.function,
            compiled_by=told.compiled_by,
        )
    yield from _compilations(session, process, later, calls)
    for event in session.events:
        if isinstance(event, FirstResult):
            yield Moment(
                type="first-result",
                at=max(later + event.at - event.seconds, 0.0),
                process=process,
                compiled_by=_called(event, calls),
                seconds=event.seconds,
                ok=event.ok,
            )


def _compilations(session: Session, process: int, later: float, calls: Mapping[int, str]) -> Iterator[Moment]:
    attempt_at = costs.attempts(session.events)
    pairs = tuple(zip(session.events, attempt_at, strict=True))
    again = {of for event, of in pairs if isinstance(event, (Recompile, LimitHit))}
    open_: dict[costs.Attempt | None, CompileStart] = {}
    codes = costs.codes(session.events)
    for event, attempt in pairs:
        if isinstance(event, CompileStart):
            open_[attempt] = event
        elif isinstance(event, CompileEnd):
            # A backward graph is compiled on its own, later, under the id of its forward.
            start = None if event.backward else open_.pop(attempt, None)
            seconds = event.seconds or 0.0
            code = event.code or codes.get(attempt)
            yield Moment(
                type="compile",
                at=max(later + (start.at if start is not None else event.at - seconds), 0.0),
                process=process,
                path=code.path if code else "",
                line=code.line if code else 1,
                function=parts.part(code.function) if code else "",
                compiled_by=_called(event, calls),
                compile_id=event.compile_id or "",
                seconds=seconds,
                kind=_kind(event, again=attempt in again),
                ok=event.ok,
            )
    for attempt, start in open_.items():
        yield Moment(
            type="compile",
            at=later + start.at,
            process=process,
            path=start.code.path,
            line=start.code.line,
            function=parts.part(start.code.function),
            compiled_by=_called(start, calls),
            compile_id=start.compile_id,
            seconds=max(last_seen(session) - session.header.started - start.at, 0.0),
            kind=_kind(start, again=attempt in again),
            ok=False,
        )


def _kind(event: CompileStart | CompileEnd, *, again: bool) -> CompileKind:
    if isinstance(event, CompileEnd) and event.backward:
        return "backward"
    if again:
        return "recompile"
    return "after-break" if event.code and parts.resumed_at(event.code.function) is not None else "first"


def _called(event: Event, calls: Mapping[int, str]) -> str:
    return calls.get(event.target, "") if event.target is not None else ""
