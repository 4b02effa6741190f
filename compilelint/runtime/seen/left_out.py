"""Compiled functions that Dynamo leaves out without a word: no event says so, but the session as a whole shows it.

- A function of which the first call returns before any tensor operation (`if len(memory) < batch_size: return`) gives
  an empty graph. Dynamo skips its code from then on (`No ops traced for the FX graph`, torch 2.5 to 2.15): later calls
  run without it, whatever they compute, but for the functions that they call. The metrics of that compilation show it.
- While a `TorchDispatchMode` is on, as `FlopCounterMode` is one, or compiling is switched off, Dynamo is not asked at
  all (torch 2.13): the function is called, and never compiled.
- What torch's own layers are compiled through (`unwrapping.py`) is one function of Dynamo's. Where it drops that, as it
  does for an `nn.LSTM` that is compiled alone, no other such layer is compiled from then on (torch 2.13).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CompileStart,
    Event,
    FrameSkipped,
    GraphBreak,
)
from compilelint.runtime.session import Session

_OfFrame: TypeAlias = CompileStart | CompileEnd | CompileError | FrameSkipped | GraphBreak
NOTHING_TRACED = "No ops traced in the first call"
NEVER_ASKED = "Called, and never compiled"
NEVER_ASKED_AFTER_ANOTHER = "Called, and never compiled, behind another that was dropped"


def with_left_out(session: Session) -> Session:
    """A session that says of such functions that they were left out: behind their compilation, or at its end."""
    footer = session.footer
    times = footer.calls if footer is not None else ()
    called = [
        event
        for event in session.events
        if isinstance(event, CompileCall) and event.number < len(times) and times[event.number] > 1
    ]
    if not called:
        return session
    tried: dict[int | None, list[_OfFrame]] = defaultdict(list)
    for event in session.events:
        if isinstance(event, _OfFrame):
            tried[event.target].append(event)
    left_out = {end: call for call in called if (end := _only_compilation(tried[call.number], call)) is not None}
    # What is recorded in the middle of a process may have been compiled before; a launcher knows the exit code.
    is_whole = footer is not None and footer.exit_code is not None
    known = {call.code for call in session.events if isinstance(call, CompileCall) and tried.get(call.number)}
    never_asked = _never_compiled(tried, called, known) if is_whole else []
    told = _behind_another if _is_wrapper_dropped(session) else _not_asked
    added = (event for call in never_asked for event in told(call))
    return replace(session, events=(*_with_left_out(session.events, left_out), *added))


def _with_left_out(events: Sequence[Event], left_out: dict[CompileEnd, CompileCall]) -> Iterator[Event]:
    for event in events:
        yield event
        if isinstance(event, CompileEnd) and event in left_out:
            yield from _skipped(left_out[event], event, NOTHING_TRACED)


def _skipped(call: CompileCall, event: Event, reason: str) -> Iterator[FrameSkipped]:
    if call.code is not None:
        at, code = event.at, call.code
        yield FrameSkipped(at=at, target=call.number, call=event.call, code=code, reason=reason, stack=call.stack)


def _is_wrapper_dropped(session: Session) -> bool:
    return any(
        isinstance(event, GraphBreak) and event.frame_dropped and event.code is not None and is_of_torch(event.code)
        for event in session.events
    )


def _not_asked(call: CompileCall) -> Iterator[FrameSkipped]:
    return _skipped(call, call, NEVER_ASKED)


def _behind_another(call: CompileCall) -> Iterator[FrameSkipped]:
    """The same where torch's own layers are compiled no more: of these the user knows the line that compiles them."""
    if call.what != "module" or call.code is None or not is_of_torch(call.code) or not call.stack:
        return _not_asked(call)
    asked = replace(call, code=replace(call.stack[-1], function=call.function), stack=call.stack[:-1])
    return _skipped(asked, asked, NEVER_ASKED_AFTER_ANOTHER)


def _never_compiled(
    tried: Mapping[int | None, Sequence[_OfFrame]],
    called: Sequence[CompileCall],
    known: Container[StackFrame | None],
) -> list[CompileCall]:
    """The calls of `torch.compile` of which nothing was tried, in a process that compiles other things.

    What was compiled by another call of it, or left out there, is not tried again. `known` is what other calls were
    given: of `torch.vmap(f)` that is `f`, while what is compiled is a function of torch's around it.
    """
    of_frames = [event for events in tried.values() for event in events]
    if not any(isinstance(event, CompileEnd) for event in of_frames):
        return []
    codes = {event.code for event in of_frames}
    return [call for call in called if call.code not in codes and call.code not in known]


def _only_compilation(tried: Sequence[_OfFrame], call: CompileCall) -> CompileEnd | None:
    """The compilation of what a call of `torch.compile` was given, if all that came of it is an empty graph.

    What later calls of it call is compiled all the same, each function by itself: that says nothing of this one.
    """
    own = [event for event in tried if event.code == call.code and not isinstance(event, CompileStart)]
    match own:
        case [CompileEnd(ok=True, ops=0, guards=None, code=StackFrame()) as only]:
            return only
        case _:
            return None
