"""What a function is to its region."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def is_root(event: Event) -> bool:
    """The function is compiled itself, not only called from a compiled one."""
    return len(event.place.reached_from) == 2


def made_in_region(event: Event) -> bool:
    """The first argument is a function or lambda that the region itself defines."""
    return bool(event.args) and isinstance(event.args[0], kinds.Function) and event.args[0].closure is not None
