"""What is passed for the options of a function."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.events import Event


def not_foreseen(event: Event) -> bool:
    """No argument is a tensor whose one number is known while tracing: it is read back without a break."""
    given = (*event.args, *(kind for _, kind in event.keywords))
    return not any(isinstance(kind, kinds.Tensor) and kind.foreseen for kind in given)


def limits_differ(event: Event) -> bool:
    """Of two limits one is known to be a number, or to be a tensor that is read back: of `x.clamp(-c, c)`, where source
    does not tell what `c` is, both are of one kind."""
    given = (*event.args, *(kind for _, kind in event.keywords))
    return not_foreseen(event) and sum(kind == kinds.UNKNOWN for kind in given[-2:]) < len(given[-2:])


def scales_by_numpy(event: Event) -> bool:
    """The third argument, or `scale_factor`, is known to be a number that numpy computed."""
    given = dict(event.keywords).get("scale_factor") or (event.args[2] if len(event.args) > 2 else kinds.UNKNOWN)
    return any(
        isinstance(option, kinds.Array) or (isinstance(option, kinds.Python) and option.numpy)
        for option in kinds.options(given)
    )
