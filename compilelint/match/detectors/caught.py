"""What compiled code does in a `try` whose handlers would go on after an operator failed."""

from __future__ import annotations

from compilelint.inspect.events import Event


def is_inside(event: Event) -> bool:
    """It happens inside of such a `try`, in the same function or in one that calls it."""
    return event.place.mode.caught
