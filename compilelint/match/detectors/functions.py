"""What a function is to its region."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event

_STEPS_OF_ROOT = 2
"""The label of a root, and its function."""


def outlives_the_call(event: Event) -> bool:
    """What is written to was there before the region started: a global, or what the root is a method of or is given."""
    return event.outside or len(event.place.reached_from) == _STEPS_OF_ROOT


def lives_on(event: Event) -> bool:
    """What is written to is a module, what the root is a method of or is given, or held by that: of others nobody knows
    whether the next call finds the same."""
    is_module = isinstance(event.receiver, kinds.Instance) and event.receiver.module
    return is_module or bool(event.held) or len(event.place.reached_from) == _STEPS_OF_ROOT


def is_root(event: Event) -> bool:
    """The function is compiled itself, not only called from a compiled one."""
    return len(event.place.reached_from) == _STEPS_OF_ROOT


def made_in_region(event: Event) -> bool:
    """The first argument is a function or lambda that the region itself defines."""
    return bool(event.args) and isinstance(event.args[0], kinds.Function) and event.args[0].closure is not None
