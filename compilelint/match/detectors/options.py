"""What is passed for the options of a function."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def not_foreseen(event: Event) -> bool:
    """No argument is a tensor whose one number is known while tracing: it is read back without a break."""
    given = (*event.args, *(kind for _, kind in event.keywords))
    return not any(isinstance(kind, kinds.Tensor) and kind.foreseen for kind in given)
