"""What a tensor is indexed by."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def computed(event: Event) -> bool:
    """What indexes is not there before the region: a global, or an attribute of such."""
    return not event.outside


def by_given_scalar(event: Event) -> bool:
    """An integer tensor without dimensions that the graph is given is among the indices; what is kept stays."""
    if event.outside:
        return False
    parts = event.args if event.type == "index" else event.args[:1]
    return any(
        isinstance(option, kinds.Tensor) and option.ndim == 0 and option.parameter and option.dtype in ("int", None)
        for part in parts
        for option in kinds.options(part)
    )
