"""Compiled functions that Dynamo leaves out without a word: no event says so, but the session as a whole shows it.

- A function of which the first call returns before any tensor operation (`if len(memory) < batch_size: return`) gives
  an empty graph. Dynamo skips its code from then on (`No ops traced for the FX graph`, torch 2.5 to 2.15): later calls
  run without it, whatever they compute. The metrics of that one compilation show it.
- While a `TorchDispatchMode` is on, as `FlopCounterMode` is one, or compiling is switched off, Dynamo is not asked at
  all (torch 2.13): the function is called, and never compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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

NOTHING_TRACED = "No ops traced in the first call"
NEVER_ASKED = "Called, and never compiled"


def with_left_out(session: Session) -> Session:
    """A session that says of such functions that they were left out: behind their compilation, or at its end."""
    footer = session.footer
    calls = footer.calls if footer is not None else ()
    called = [
        (event, calls[event.number])
        for event in session.events
        if isinstance(event, CompileCall) and event.number < len(calls)
    ]
    left_out = {
        event: call
        for call, times in called
        if times > 1 and (event := _only_compilation(session.events, call)) is not None
    }
    # What is recorded in the middle of a process may have been compiled before; a launcher knows the exit code.
    is_whole = footer is not None and footer.exit_code is not None
    never_asked = [
        call for call, times in called if times > 1 and is_whole and _is_never_compiled(session.events, call)
    ]
    if not left_out and not never_asked:
        return session
    added = (event for call in never_asked for event in _skipped(call, call, NEVER_ASKED))
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


def _is_never_compiled(events: Sequence[Event], call: CompileCall) -> bool:
    """Whether nothing was tried of what a call of `torch.compile` was given, in a process that compiles other things.

    What was compiled by another call of it, or left out there, is not tried again.
    """
    tried = [event for event in events if isinstance(event, _OF_FRAMES)]
    return (
        call.code is not None
        and any(isinstance(event, CompileEnd) for event in tried)
        and not any(event.target == call.number or event.code == call.code for event in tried)
    )


_OF_FRAMES = (CompileStart, CompileEnd, CompileError, FrameSkipped, GraphBreak)


def _only_compilation(events: Sequence[Event], call: CompileCall) -> CompileEnd | None:
    """The compilation of what a call of `torch.compile` was given, if all that came of it is an empty graph.

    Where the graph broke, or what it calls was compiled by itself, its work may be compiled all the same.
    """
    own = [event for event in events if event.target == call.number]
    if any(isinstance(event, GraphBreak | CompileError | FrameSkipped) for event in own):
        return None
    ends = [event for event in own if isinstance(event, CompileEnd)]
    first = ends[0] if ends else None
    if first is None or first.code is None or first.code != call.code or first.guards is not None:
        return None
    return first if all(end.ok and end.ops == 0 for end in ends) else None
