"""Functions, classes, modules and other objects, alone or in containers: what calls of them run cannot be told
otherwise."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind

OBJECTS = (kinds.External, kinds.Function, kinds.Instance, kinds.Partial, kinds.ProjectClass, kinds.Reference)
"""Of External there are modules, optimizers, generators."""


def is_object(kind: Kind) -> bool:
    """Whether it is an object, or a container of objects: `[log_loss]`, `{"l1": l1}`, `[("ce", cross_entropy)]`.

    Of what else is in a container numbers and names are known; a tensor, or what nobody knows, says that it is no such.
    """
    parts = _parts(kind)
    if parts is None:
        return isinstance(kind, OBJECTS)
    return any(map(is_object, parts)) and all(
        is_object(part) or isinstance(part, kinds.Const | kinds.Python) for part in parts
    )


def _parts(kind: Kind) -> tuple[Kind, ...] | None:
    """What a container holds; None for what is none."""
    match kind:
        case kinds.Sequence(items=items, item=item):
            return (item,) if items is None else items
        case kinds.Dictionary(value=value, entries=entries):
            return tuple(each for _, each in entries) or (value,)
        case _:
            return None
