"""Compiled functions whose first call computed nothing: Dynamo leaves them out for good, and no event says so.

A function of which the first call returns before any tensor operation (`if len(memory) < batch_size: return`) gives an
empty graph. Dynamo skips its code from then on (`No ops traced for the FX graph`, torch 2.5 to 2.15): later calls run
without it, whatever they compute. The metrics of that one compilation show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    Event,
    FrameSkipped,
    GraphBreak,
)
from compilelint.runtime.session import Session

NOTHING_TRACED = "No ops traced in the first call"


def with_left_out(session: Session) -> Session:
    """A session that says of such functions, behind their compilation, that they were left out."""
    calls = session.footer.calls if session.footer is not None else ()
    left_out = {
        event: call
        for call in session.events
        if isinstance(call, CompileCall) and call.number < len(calls) and calls[call.number] > 1
        if (event := _only_compilation(session.events, call)) is not None
    }
    return replace(session, events=tuple(_with_left_out(session.events, left_out))) if left_out else session


def _with_left_out(events: Sequence[Event], left_out: dict[CompileEnd, CompileCall]) -> Iterator[Event]:
    for event in events:
        yield event
        if isinstance(event, CompileEnd) and event in left_out and event.code is not None:
            yield FrameSkipped(
                at=event.at,
                target=event.target,
                call=event.call,
                code=event.code,
                reason=NOTHING_TRACED,
                compile_id=event.compile_id,
                stack=left_out[event].stack,
            )


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
