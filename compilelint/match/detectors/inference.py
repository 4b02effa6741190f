"""What compiled code does inside an `inference_mode` that it enters itself."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def is_inside(event: Event) -> bool:
    """It happens inside of such a mode."""
    return event.place.mode.inference


def is_view_inside(event: Event) -> bool:
    """It is read there by numbers and slices alone, which gives a view; a tensor or a list as an index gives a copy."""
    return is_inside(event) and not any(
        isinstance(option, kinds.Tensor | kinds.Array | kinds.Sequence) or option == kinds.UNKNOWN
        for index in event.args
        for option in kinds.options(index)
    )
