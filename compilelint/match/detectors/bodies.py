"""What happens in the body of a higher-order operator."""

from __future__ import annotations

from compilelint.inspect.events import Event


def in_branch(event: Event) -> bool:
    """It is in a function that `torch.cond` or `while_loop` is given."""
    return event.place.body == "branch"
