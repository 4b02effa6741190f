"""Containers that a region fills and empties again: they do not grow from call to call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.events import Event

Place: TypeAlias = tuple[str, str, object]
"""Type of event, name of what is written, and the class or file that it belongs to."""
_GROWTH = frozenset({"append", "augmented"})
_RESET = frozenset({"assign", "cleared"})


def lasting(events: Sequence[Event]) -> list[Event]:
    """The events of one region without the growth of containers that the same region replaces or clears.

    A number that is set anew somewhere (`if self.step > 9: self.step = 0`) still changes with every call.
    """
    reset = {_place(event) for event in events if event.construct in _RESET}
    return [event for event in events if not (_grows_container(event) and _place(event) in reset)]


def _grows_container(event: Event) -> bool:
    if event.type not in ("attribute-write", "global-write") or event.construct not in _GROWTH:
        return False
    return event.construct == "append" or any(isinstance(value, kinds.Sequence) for value in event.args)


def _place(event: Event) -> Place:
    receiver = event.receiver
    owner = receiver.cls if isinstance(receiver, kinds.Instance) else receiver
    return (event.type, event.callee, owner if event.type == "attribute-write" else event.place.path)
