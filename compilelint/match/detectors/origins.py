"""Where values come from."""

from __future__ import annotations

from compilelint.inspect.events import Event


def made_outside(event: Event) -> bool:
    """What is entered, iterated or advanced was made before the region starts."""
    return event.outside
