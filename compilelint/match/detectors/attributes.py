"""Attributes that mean something to Python itself."""

from __future__ import annotations

from compilelint.inspect.events import Event


def is_class(event: Event) -> bool:
    """The attribute is `__class__`."""
    return event.callee.endswith(".__class__")
