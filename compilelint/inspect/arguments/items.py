"""What is known of the items and attributes of a parameter, and whether that may be so."""

from __future__ import annotations

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind

MODULE = kinds.External("torch.nn.Module")
_OF_ANYTHING: tuple[Kind, ...] = (kinds.Dictionary(UNKNOWN), kinds.Dictionary(kinds.OBJECT))
_HOLD_ANYTHING: tuple[Kind, ...] = (UNKNOWN, MODULE, kinds.OBJECT, *_OF_ANYTHING)


def may_be_of(holder: Kind | None, item: Kind) -> bool:
    """Whether something of which nothing is known may hold this; of a module of the project, numbers that are set on it
    from outside (`net.calls = 0`)."""
    return holder in _HOLD_ANYTHING or (item == kinds.INT and holder is not None and is_module(holder))


def is_dict_of_anything(declared: Kind) -> bool:
    """Whether a declaration says that it is a dict, and not of what: `batch: dict`, `batch: dict[str, Any]`."""
    return declared in _OF_ANYTHING


def is_module(kind: Kind) -> bool:
    """Whether it is a module: one of a class of the project, or one of which no more is known."""
    return kind == MODULE or (isinstance(kind, kinds.Instance) and kind.module)
