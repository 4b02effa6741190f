"""From sessions to what happened: one observation per cause, however often and on however many ranks.

Dynamo compiles a function again after each break, so that it meets the same break in several frames and
says it each time; ranks and runs say it again. Here they become one, at the line that Dynamo itself names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compilelint.report.model import SEVERITIES, Observation, StackFrame
from compilelint.runtime import costs, guard_words, guards, reasons
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CudagraphSkip,
    Event,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    LinesTraced,
    Recompile,
    Unreadable,
)
from compilelint.runtime.session import Session

_INNER = re.compile(r"/site-packages/torch/|/lib/python3\.\d+/(?!site-packages/)|^<frozen ")
"""Files of torch and of Python's standard library."""
_NAMELESS = frozenset({"condition", "state", "modes", "backend", "freed"})
"""Causes of recompiles that lie in no variable."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run's sessions say together. Paths are as the traced processes saw them."""

    observations: tuple[Observation, ...]
    traced: Mapping[str, frozenset[int]]
    """For each file, the lines that Dynamo traced on any rank."""
    unreadable: tuple[str, ...]
    """What neither the recorder nor this reader understood: a run with any of these never passes."""
    sessions: tuple[Session, ...] = field(repr=False, default=())


@dataclass(frozen=True, slots=True)
class _Seen:
    """One event as an observation of one hit, with what folds it."""

    key: tuple[object, ...]
    observation: Observation
    guard: guards.GuardFailure | None = None


def read(sessions: Iterable[Session], owned: Callable[[str], bool], warmup: int = 0) -> Reading:
    """All that the sessions of one or more runs saw.

    `owned` says of an absolute path whether it is the user's own code; the first `warmup` calls of each
    compiled thing count as `hits`, but not as `hits_after_warmup`.
    """
    given = tuple(sessions)
    folded: dict[tuple[object, ...], list[_Seen]] = {}
    for session in given:
        for each in _session(session, owned, warmup):
            folded.setdefault(each.key, []).append(each)
    return Reading(
        observations=tuple(_folded(group) for group in folded.values()),
        traced=_traced(given),
        unreadable=tuple(dict.fromkeys(text for session in given for text in _unreadable(session))),
        sessions=given,
    )


def rank_of(session: Session) -> int:
    """A process that no launcher numbered counts as rank 0."""
    return session.header.rank or 0


def _session(session: Session, owned: Callable[[str], bool], warmup: int) -> Iterable[_Seen]:
    calls = {event.number: event for event in session.events if isinstance(event, CompileCall)}
    spent = costs.pieces(session.events)
    told = {
        event.compile_id
        for event in session.events
        if isinstance(event, (GraphBreak, FrameSkipped, LimitHit, CompileError))
    }
    for position, event in enumerate(session.events):
        seen = _seen(event, told)
        if seen is None:
            continue
        call = calls.get(event.target) if event.target is not None else None
        found = _inside(seen.observation, call)
        own = _owner(found.stack, owned)
        if own is None and owned(found.path):
            own = StackFrame(found.path, found.line, found.function)
        yield replace(
            seen,
            observation=replace(
                found,
                severity="info" if _is_inner(found, owned) else found.severity,
                ranks=(rank_of(session),),
                owner=own,
                compiled_by=_compile_call(call) if call else "",
                compile_seconds=spent.get(position, 0.0),
                hits_after_warmup=int(event.call > warmup or event.call == 0),
            ),
        )


def _inside(observation: Observation, call: CompileCall | None) -> Observation:
    """With the names of functions that source has, and the place where compiled code begins."""
    stack = tuple(replace(frame, function=costs.origin(frame.function)) for frame in observation.stack)
    entries = [
        index
        for index, frame in enumerate(stack)
        if call is not None
        and call.code is not None
        and frame.path == call.code.path
        and _bare(frame.function) == _bare(call.code.function)
    ]
    frame = observation.frame
    return replace(
        observation,
        stack=stack,
        inside=entries[0] if entries else _of_frame(stack, frame, observation.type == "recompile"),
        frame=replace(frame, function=costs.part(frame.function)) if frame else None,
    )


def _of_frame(stack: Sequence[StackFrame], code: StackFrame | None, may_be_callers: bool) -> int:
    """Where the compiled frame is in a stack; that of a recompile may be of its callers alone."""
    if code is None:
        return 0
    name = _bare(costs.origin(code.function))
    found = (
        index
        for index, frame in enumerate(stack)
        if frame.path == code.path and _bare(frame.function) == name
    )
    return next(found, len(stack) if may_be_callers else 0)


def _is_inner(observation: Observation, owned: Callable[[str], bool]) -> bool:
    """Whether torch or Python did it to itself: no other code is in between, so there is nothing to change.

    DDP wraps a model in functions of its own that break and are given up, for one.
    """
    if observation.severity != "warning" or not _INNER.search(observation.path):
        return False
    return not any(
        owned(frame.path) or not _INNER.search(frame.path)
        for frame in observation.stack[observation.inside :]
    )


def _bare(function: str) -> str:
    return function.rpartition(".")[2]


def _seen(event: Event, told: set[str | None]) -> _Seen | None:
    """What an event is to the user; None for those that are no trouble."""
    match event:
        case GraphBreak():
            return _break(event)
        case FrameSkipped():
            reason = reasons.explain(event.reason, None, None)
            return _whole_frame(event, "frame-skipped", event.code, reason.words, event.reason)
        case Recompile():
            return _recompile(event)
        case LimitHit():
            return _limit(event)
        case CompileError():
            return _error(event)
        case CudagraphSkip():
            return _cudagraph(event)
        case CompileEnd(ok=False, fail_type=str()) if event.compile_id not in told and event.code:
            # Dynamo's metrics know that it gave up, and nothing else said why.
            text = event.fail_reason or event.fail_type or ""
            reason = reasons.explain(text.strip().partition("\n")[0], None, None)
            return _whole_frame(event, "frame-skipped", event.code, reason.words, text)
    return None


def _observation(**fields: object) -> Observation:
    values: dict[str, object] = {
        "gb_id": None,
        "hits": 1,
        "compile_seconds": 0.0,
        "ranks": (),
        "stack": (),
        "finding": None,
        **fields,
    }
    return Observation(**values)  # type: ignore[arg-type]


def _break(event: GraphBreak) -> _Seen:
    reason = reasons.explain(event.gb_type, event.explanation, event.context, event.hints)
    frames = event.stack or ((event.code,) if event.code else ())
    place = frames[-1] if frames else StackFrame("<unknown>", 1, "")
    observation = _observation(
        # What raises is no break that Dynamo handles: the program has to.
        type="compile-error" if event.raised else "graph-break",
        reason=f"fullgraph was asked for: {reason.words}" if event.raised else reason.words,
        advice=reason.advice,
        gb_id=event.gb_id,
        path=place.path,
        line=place.line,
        function=_function(place, event.code),
        stack=frames,
        title=event.gb_type,
        context=event.context or event.explanation or "",
        severity="error" if event.raised else "warning",
        aggravated_by=reasons.drop_words(event.wrapped_by),
        frame=event.code,
        frame_dropped=event.frame_dropped and not event.raised,
    )
    return _Seen((observation.type, place.path, place.line, event.gb_type), observation)


def _function(place: StackFrame, code: StackFrame | None) -> str:
    """The qualified name where it is known: stacks have bare names, code objects do not."""
    if code and code.path == place.path and costs.origin(code.function).rpartition(".")[2] == place.function:
        return costs.origin(code.function)
    return place.function


def _whole_frame(
    event: Event,
    type_: str,
    code: StackFrame,
    reason: str,
    title: str,
    *,
    severity: str = "warning",
    advice: str = "",
) -> _Seen:
    function = costs.origin(code.function)
    stack = getattr(event, "stack", ()) or ()
    observation = _observation(
        type=type_,
        reason=reason,
        path=code.path,
        line=code.line,
        function=function,
        stack=(*stack, StackFrame(code.path, code.line, function)),
        title=title,
        severity=severity,
        advice=advice,
        frame=code,
        frame_dropped=True,
    )
    return _Seen((type_, code.path, code.line, function, reason), observation)


def _recompile(event: Recompile) -> _Seen:
    failure = guards.blamed(event.guards) or guards.GuardFailure(
        "condition", "no compiled version fitted", ""
    )
    value = event.values[0] if event.values else None
    if value is not None:
        failure = replace(failure, old=failure.old or value.expected or "", new=value.actual or failure.new)
    code = event.code
    function = costs.origin(code.function)
    stack = event.guard_stack or failure.stack or event.stack or (StackFrame(code.path, code.line, function),)
    observation = _observation(
        type="recompile",
        reason=guard_words.in_words([failure]),
        advice=guard_words.advice([failure]),
        path=code.path,
        line=code.line,
        function=function,
        stack=stack,
        title=failure.condition,
        context="\n".join(event.guards),
        frame=code,
        variable=_variable(failure),
    )
    key = ("recompile", code.path, code.line, code.function, failure.topic)
    return _Seen(key, observation, failure)


def _variable(failure: guards.GuardFailure) -> str:
    """What a failure is about, if that has a name in the source."""
    return "" if failure.cause in _NAMELESS or "___" in failure.subject else failure.subject


def _change(failures: Sequence[guards.GuardFailure]) -> str:
    """What recompiles of several functions may have in common; empty for what belongs to one."""
    first = failures[0]
    if first.cause in ("state", "modes"):
        return f"{first.cause} {first.subject}"
    if first.cause == "value" and first.subject.endswith("training"):
        return "training"
    if first.cause in ("size", "small-size"):
        sizes = dict.fromkeys(value for each in failures for value in (each.old, each.new) if value)
        return f"size {' '.join(sizes)}"
    return ""


def _limit(event: LimitHit) -> _Seen:
    code = event.code or (event.stack[-1] if event.stack else StackFrame("<unknown>", 1, ""))
    failure = guards.parse(event.reason)
    times = f" ({event.value})" if event.value is not None else ""
    words = guard_words.in_words([failure]) if event.reason.strip() else "no guard was named"
    seen = _whole_frame(
        event,
        "recompile-limit",
        code,
        f"recompiled too often{times}: it runs without torch.compile from here on; last, {words}",
        event.limit,
        severity="error",
        advice=guard_words.advice([failure]),
    )
    return replace(
        seen,
        key=("recompile-limit", code.path, code.line, code.function, event.limit),
        observation=replace(seen.observation, context=failure.condition, variable=_variable(failure)),
    )


def _error(event: CompileError) -> _Seen:
    code = event.code or (event.stack[-1] if event.stack else StackFrame("<unknown>", 1, ""))
    first = next((line.strip() for line in event.message.splitlines() if line.strip()), "")
    fate = "the error was suppressed, and it runs without torch.compile" if event.suppressed else "it raised"
    seen = _whole_frame(
        event,
        "compile-error",
        code,
        f"compiling failed, {fate}: {event.error}: {first}",
        event.error,
        severity="error",
    )
    return replace(
        seen, observation=replace(seen.observation, context=event.message, frame_dropped=event.suppressed)
    )


def _cudagraph(event: CudagraphSkip) -> _Seen:
    place = event.stack[-1] if event.stack else StackFrame("<unknown>", 1, "")
    observation = _observation(
        type="cudagraph-skip",
        reason=f"no CUDA graph: {event.reason.strip().partition(chr(10))[0]}",
        path=place.path,
        line=place.line,
        function=place.function,
        stack=event.stack,
        title=event.reason,
    )
    return _Seen(("cudagraph-skip", place.path, place.line, event.reason), observation)


def _folded(group: Sequence[_Seen]) -> Observation:
    """One cause, from all that was seen of it; the longest stack is the most telling one."""
    first = group[0].observation
    each = [seen.observation for seen in group]
    failures = [seen.guard for seen in group if seen.guard is not None]
    per_rank = {
        rank: sum(one.compile_seconds for one in each if one.ranks == (rank,)) for rank in _ranks(each)
    }
    return replace(
        first,
        reason=guard_words.in_words(failures) if failures else first.reason,
        change=_change(failures) if failures else "",
        stack=max((one.stack for one in each), key=len),
        hits=len(each),
        hits_after_warmup=sum(one.hits_after_warmup for one in each),
        # Ranks compile at the same time: what a user waits for is the slowest.
        compile_seconds=max(per_rank.values()),
        ranks=tuple(per_rank),
        gb_id=next((one.gb_id for one in each if one.gb_id), None),
        severity=min((one.severity for one in each), key=SEVERITIES.index),
        owner=next((one.owner for one in each if one.owner), None),
        compiled_by=next((one.compiled_by for one in each if one.compiled_by), ""),
        aggravated_by=tuple(dict.fromkeys(why for one in each for why in one.aggravated_by)),
        frame_dropped=any(one.frame_dropped for one in each),
    )


def _ranks(observations: Iterable[Observation]) -> list[int]:
    return sorted({rank for each in observations for rank in each.ranks})


def _owner(stack: Sequence[StackFrame], owned: Callable[[str], bool]) -> StackFrame | None:
    return next((frame for frame in reversed(stack) if owned(frame.path)), None)


def _compile_call(call: CompileCall) -> str:
    what = f"torch.compile({call.function})"
    if not call.stack:
        return what
    place = call.stack[-1]
    return f"{place.path}:{place.line} {what}"


def _traced(sessions: Iterable[Session]) -> dict[str, frozenset[int]]:
    lines: dict[str, set[int]] = {}
    for session in sessions:
        for event in session.events:
            if isinstance(event, LinesTraced):
                of_file = lines.setdefault(event.path, set())
                for first, last in event.ranges:
                    of_file.update(range(first, last + 1))
    return {path: frozenset(found) for path, found in lines.items()}


def _unreadable(session: Session) -> Iterable[str]:
    yield from session.unreadable
    for event in session.events:
        if isinstance(event, Unreadable):
            yield f"{event.source}: {event.message}"
