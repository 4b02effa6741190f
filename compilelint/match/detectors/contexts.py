"""Context managers."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def own_class_made_outside(event: Event) -> bool:
    """The project's own manager, entered where it was not made."""
    return event.outside and isinstance(event.receiver, kinds.Instance) and not event.receiver.module


def enters_library_context(event: Event) -> bool:
    """What is entered comes from a library; the project's own managers are traced."""
    return bool(event.args) and isinstance(event.args[0], kinds.External)
