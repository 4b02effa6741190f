"""From sessions to what happened: one observation per cause, however often and on however many ranks.

Dynamo compiles a function again after each break, so that it meets the same break in several frames and
says it each time; ranks and runs say it again. Here they become one, at the line that Dynamo itself names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compilelint.report.model import SEVERITIES, Moment, Observation
from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.runtime.dynamo.break_text import marked
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    LinesTraced,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.seen import costs, parts, timeline
from compilelint.runtime.seen.compiled_alone import at_its_call
from compilelint.runtime.seen.left_out import with_left_out
from compilelint.runtime.seen.observing import Seen, call_place, common_change, repeated, seen
from compilelint.runtime.seen.unwrapping import is_wrapper, unwrapped
from compilelint.runtime.session import Session
from compilelint.runtime.words import guard_words, guards
from compilelint.runtime.words.guards import GuardFailure
from compilelint.runtime.words.returning import by_what_is_new

_INNER = re.compile(
    r"/site-packages/(?:(?:torch|sympy|mpmath|jinja2|markupsafe)/|typing_extensions\.py)"
    r"|/lib/python3\.\d+/(?!site-packages/)|^<frozen "
)
"""Files of torch, of what it calculates sizes and writes kernels with, and of Python's standard library."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run's sessions say together. Paths are as the traced processes saw them."""

    observations: tuple[Observation, ...]
    traced: Mapping[str, frozenset[int]]
    """For each file, the lines that Dynamo traced on any rank."""
    unreadable: tuple[str, ...]
    """What neither the recorder nor this reader understood: a run with any of these never passes."""
    sessions: tuple[Session, ...] = field(repr=False, default=())
    moments: tuple[Moment, ...] = field(repr=False, default=())
    """By time; their processes are the sessions, as they were given."""


def read(sessions: Iterable[Session], owned: Callable[[str], bool], warmup: int = 0) -> Reading:
    """All that the sessions of one or more runs saw.

    `owned` says of an absolute path whether it is the user's own code; the first `warmup` calls of each
    compiled thing count as `hits`, but not as `hits_after_warmup`.
    """
    given = tuple(at_its_call(with_left_out(unwrapped(session))) for session in sessions)
    folded: dict[tuple[object, ...], list[Seen]] = {}
    moments: list[Moment] = []
    for process, (session, began) in enumerate(zip(given, timeline.beginnings(given), strict=True)):
        found = tuple(replace(each, cache=(process, each.cache[1])) for each in _session(session, owned, warmup))
        for each in found:
            folded.setdefault((each.key, _caller_of_torch(each.observation)), []).append(each)
        moments += timeline.moments(session, process, began, found)
    return Reading(
        observations=tuple(_folded(group) for group in folded.values()),
        traced=_traced(given),
        unreadable=tuple(dict.fromkeys(text for session in given for text in _unreadable(session))),
        sessions=given,
        moments=tuple(sorted(moments, key=lambda each: (each.at, each.process))),
    )


def rank_of(session: Session) -> int:
    """A process that no launcher numbered counts as rank 0."""
    return session.header.rank or 0


def _session(session: Session, owned: Callable[[str], bool], warmup: int) -> Iterator[Seen]:
    calls = {event.number: event for event in session.events if isinstance(event, CompileCall)}
    spent = costs.pieces(session.events)
    attempt_at = costs.attempts(session.events)
    told = {
        attempt
        for attempt, event in zip(attempt_at, session.events, strict=True)
        if isinstance(event, (GraphBreak, FrameSkipped, LimitHit, CompileError))
    }
    resets = 0
    for position, (event, attempt) in enumerate(zip(by_what_is_new(session.events), attempt_at, strict=True)):
        resets = max(resets, attempt[1] - 1 if attempt is not None else 0)
        call = calls.get(event.target) if event.target is not None else None
        one = seen(event, told=attempt in told, dynamic=call.dynamic if call is not None else None)
        if one is None:
            continue
        found = _inside(one.observation, call)
        own = _owner(found.stack, owned)
        if own is None and owned(found.path):
            own = StackFrame(found.path, found.line, found.function)
        yield replace(
            one,
            at=event.at,
            cache=(0, resets),
            observation=replace(
                found,
                severity="info" if _is_inner(found, owned) else found.severity,
                ranks=(rank_of(session),),
                owner=own,
                owner_call=marked(event.text, own) if own and isinstance(event, GraphBreak) else "",
                compiled_by=call_place(call) if call else "",
                compile_seconds=spent.get(position, 0.0),
                hits_after_warmup=int(event.call > warmup or event.call == 0),
            ),
        )
    yield from _repeated(session, calls.values(), owned)


def _repeated(session: Session, calls: Iterable[CompileCall], owned: Callable[[str], bool]) -> Iterator[Seen]:
    """Modules that were compiled as a whole, with the blocks that they hold several times."""
    ends = [event for event in session.events if isinstance(event, CompileEnd) and event.ok and event.code]
    alone = {event.code.function for event in ends if event.code}
    for call in calls:
        of_call = [event for event in ends if event.target == call.number and event.code == call.code]
        for blocks in call.repeated:
            # Where the graph breaks around the blocks, each is compiled on its own already.
            if not of_call or f"{blocks.name}.forward" in alone:
                continue
            one = repeated(call, blocks)
            yield replace(
                one,
                observation=replace(
                    one.observation,
                    ranks=(rank_of(session),),
                    owner=_owner(call.stack, owned),
                    compiled_by=call_place(call),
                    inside=len(call.stack),
                    compile_seconds=sum(event.seconds or 0.0 for event in of_call),
                    hits_after_warmup=1,
                ),
            )


def _inside(observation: Observation, call: CompileCall | None) -> Observation:
    """With the names of functions that source has, and the place where compiled code begins."""
    stack = _as_written(observation.stack)
    entries = [
        index
        for index, frame in enumerate(stack)
        if call is not None and call.code is not None and parts.is_entry(frame, call.code)
    ]
    if not entries and call is not None and call.code is not None and is_of_torch(call.code):
        # Of what torch itself has put something around (a scheduler an optimizer's `step`) there is only this.
        entries = [index for index, frame in enumerate(stack) if is_wrapper(frame)]
    frame = observation.frame
    recompile = observation.type == "recompile"
    if entries:
        inside = entries[0]
    elif call is not None and frame is not None and frame == call.code:
        inside = len(stack) if recompile else 0
    else:
        inside = _of_frame(stack, frame, recompile)
    if not entries and not inside and not recompile and stack and stack[0].function == "<module>":
        # A module's wrapped `forward` may be missing: what it called comes after torch's frames for the call.
        inside = _past_call(stack)
    return replace(
        observation,
        stack=stack,
        inside=inside,
        frame=_as_called(frame) if frame else None,
        dropped=tuple(map(_as_called, observation.dropped)),
    )


def _caller_of_torch(observation: Observation) -> tuple[str, int, str] | None:
    """The line that led into torch, for what happened there, and the call on it: each is a cause of its own."""
    if observation.type != "graph-break" or not _INNER.search(observation.path):
        return None
    inside = observation.stack[observation.inside :]
    led = next((frame for frame in reversed(inside) if not _INNER.search(frame.path)), None)
    return (led.path, led.line, observation.owner_call if led == observation.owner else "") if led else None


def _past_call(stack: Sequence[StackFrame]) -> int:
    """Where the frames end in which torch first calls a module; 0 where it calls none, or nothing else."""
    of_call = [frame.path.endswith("/torch/nn/modules/module.py") for frame in stack]
    first = of_call.index(True) if True in of_call else 0
    return next((index for index in range(first, len(stack)) if first and not of_call[index]), 0)


def _as_written(stack: Sequence[StackFrame]) -> tuple[StackFrame, ...]:
    """A stack with the functions of the source.

    Dynamo calls each part of a function that goes on after a break from the part before it: in the source
    that is one call, which has come to where the last part is.
    """
    written: list[StackFrame] = []
    for frame in stack:
        whole = replace(frame, function=parts.origin(frame.function))
        goes_on = parts.resumed_at(frame.function) is not None and written
        if goes_on and parts.is_of(written[-1], whole):
            written.pop()
        written.append(whole)
    return tuple(written)


def _as_called(frame: StackFrame) -> StackFrame:
    return replace(frame, function=parts.part(frame.function))


def _of_frame(stack: Sequence[StackFrame], code: StackFrame | None, may_be_callers: bool) -> int:
    """Where the compiled frame is in a stack; that of a recompile may be of its callers alone."""
    if code is None:
        return 0
    found = (index for index, frame in enumerate(stack) if parts.is_of(frame, code))
    return next(found, len(stack) if may_be_callers else 0)


def _is_inner(observation: Observation, owned: Callable[[str], bool]) -> bool:
    """Whether torch or Python did it to itself: no other code is in between, so there is nothing to change.

    DDP wraps a model in functions of its own that break and are given up, for one. What recompiles a
    function of torch's (`nn.Linear`, an optimizer's `step`) is what it is called with.
    """
    if observation.severity != "warning" or observation.type == "recompile" or owned(observation.path):
        return False
    inside = observation.stack[observation.inside :]
    if any(frame.function == "<module>" and not owned(frame.path) for frame in inside if frame != observation.stack[0]):
        return True  # a library is imported, which the compiled code or torch did just then
    if not _INNER.search(observation.path):
        return False
    if observation.type == "frame-skipped":  # a generator of the standard library, for one: it was only called
        return True
    return not any(owned(frame.path) or not _INNER.search(frame.path) for frame in inside)


def _folded(group: Sequence[Seen]) -> Observation:
    """One cause, from all that was seen of it; the longest stack is the most telling one."""
    first = group[0].observation
    each = [seen.observation for seen in group]
    # The way there is that of one hit: another may have come from another call of torch.compile.
    telling = max(each, key=lambda one: (bool(one.compiled_by), len(one.stack)))
    failures = _failures(group)
    per_rank = {rank: sum(one.compile_seconds for one in each if one.ranks == (rank,)) for rank in _ranks(each)}
    return replace(
        first,
        reason=guard_words.in_words(failures) if failures else first.reason,
        advice=guard_words.advice(failures) if failures else first.advice,
        change=common_change(failures) if failures else "",
        values=guards.values_of(failures),
        other_variables=tuple(dict.fromkeys(name for one in each for name in one.other_variables)),
        stack=telling.stack,
        inside=telling.inside,
        calls=tuple(dict.fromkeys(frame for one in each for frame in (*one.stack[one.inside :], *one.calls))),
        hits=len(each),
        hits_after_warmup=sum(one.hits_after_warmup for one in each),
        # Ranks compile at the same time: what a user waits for is the slowest.
        compile_seconds=max(per_rank.values()),
        ranks=tuple(per_rank),
        gb_id=next((one.gb_id for one in each if one.gb_id), None),
        severity=min((one.severity for one in each), key=SEVERITIES.index),
        owner=next((one.owner for one in each if one.owner), None),
        owners=tuple(dict.fromkeys(one.owner for one in each if one.owner)),
        compiled_by=telling.compiled_by,
        aggravated_by=tuple(dict.fromkeys(why for one in each for why in one.aggravated_by)),
        frame_dropped=any(one.frame_dropped for one in each),
        dropped=tuple(dict.fromkeys(frame for one in each for frame in one.dropped)),
    )


def _failures(group: Sequence[Seen]) -> list[GuardFailure]:
    """What did not fit what was compiled before, in the process where most of it was, and between two resets.

    Elsewhere Dynamo begins anew: 34 and 64, and 28 and 32 in another process, are no size that keeps changing.
    """
    found: dict[tuple[int, int], list[GuardFailure]] = {}
    for each in group:
        if each.guard is not None:
            found.setdefault(each.cache, []).append(each.guard)
    return max(found.values(), key=len, default=[])


def _ranks(observations: Iterable[Observation]) -> list[int]:
    return sorted({rank for each in observations for rank in each.ranks})


def _owner(stack: Sequence[StackFrame], owned: Callable[[str], bool]) -> StackFrame | None:
    return next((frame for frame in reversed(stack) if owned(frame.path)), None)


def _traced(sessions: Iterable[Session]) -> dict[str, frozenset[int]]:
    lines: dict[str, set[int]] = {}
    for session in sessions:
        asked_for = {event.code for event in session.events if isinstance(event, CompileCall)}
        within: StackFrame | None = None
        for event in session.events:
            if isinstance(event, CompileEnd):
                within = event.code if event.code not in asked_for and _is_part_of_line(event.code) else None
            elif isinstance(event, LinesTraced):
                of_file = lines.setdefault(event.path, set())
                for first, last in event.ranges:
                    if within is None or within.path != event.path or not first <= within.line <= last:
                        of_file.update(range(first, last + 1))
    return {path: frozenset(found) for path, found in lines.items()}


def _is_part_of_line(code: StackFrame | None) -> bool:
    """Whether it is a lambda or a comprehension: where Python calls the key of a `sort`, Dynamo comes to that alone,
    and says nothing of the line around it."""
    return code is not None and parts.bare(code.function).startswith("<")


def _unreadable(session: Session) -> Iterable[str]:
    yield from session.unreadable
    for event in session.events:
        if isinstance(event, Unreadable):
            yield f"{event.source}: {event.message}"
        elif isinstance(event, TorchLoaded):
            yield from (f"torch {event.version} does not tell of {kind}" for kind in event.missing)
