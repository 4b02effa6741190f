"""A recurrent layer that is compiled alone: `self.lstm = torch.compile(nn.LSTM(3, 4))`.

Dynamo refuses to look at it, so that nothing of it is compiled, and says so of a line of torch's, where the user has
nothing to change. What is to change is the call of `torch.compile`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compilelint.report.stack import is_of_torch
from compilelint.runtime.events import CompileCall, Event, GraphBreak
from compilelint.runtime.session import Session
from compilelint.runtime.words.left_out_reasons import COMPILED_ALONE

_TITLE = "Attempted to wrap RNN, GRU, or LSTM"


def at_its_call(session: Session) -> Session:
    """A session in which such a break is where the layer is given to `torch.compile`."""
    calls = {event.number: event for event in session.events if isinstance(event, CompileCall)}
    return replace(session, events=tuple(_moved(event, calls) for event in session.events))


def _moved(event: Event, calls: Mapping[int, CompileCall]) -> Event:
    if not isinstance(event, GraphBreak) or event.target is None or not (event.gb_type or "").startswith(_TITLE):
        return event
    call = calls.get(event.target)
    if call is None or not call.stack or call.code is None or not is_of_torch(call.code):
        return event
    if not event.stack or not is_of_torch(event.stack[-1]):
        return event
    return replace(event, context=COMPILED_ALONE, stack=call.stack, code=call.code)
