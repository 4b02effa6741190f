"""What a function is to its region."""

from __future__ import annotations

from compilelint.inspect.events import Event


def is_root(event: Event) -> bool:
    """The function is compiled itself, not only called from a compiled one."""
    return len(event.place.reached_from) == 2
