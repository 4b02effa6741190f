"""Tuples whose places have names: what `collections.namedtuple` and `typing.NamedTuple` make.

The class that `namedtuple("Pair", "a b")` makes is a `Partial` of its type that holds the names of the fields, and what
that is called with stands behind them in its objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, External, Kind
from compilelint.inspect.members import attributes, classes, records

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

MAKER, TYPE, DECLARED = "collections.namedtuple", "collections.namedtuple.type", "typing.NamedTuple"


def class_of(args: Sequence[Kind]) -> Kind | None:
    """The class that `namedtuple` makes; None if its fields are not known."""
    names = tuple(_names(args[1])) if len(args) > 1 else ()
    return kinds.Partial(kinds.Reference(TYPE), (kinds.Const(" ".join(names)),)) if names else None


def made(args: Sequence[Kind], keywords: Mapping[str, Kind]) -> Kind | None:
    """An object of such a class, given the names of its fields and then what the class is called with."""
    match args:
        case [kinds.Const(value=str(names)) as fields, *items]:
            named = (keywords.get(name, UNKNOWN) for name in names.split()[len(items) :])
            return External(TYPE, (fields, *items, *named))
        case _:
            return None


def base_of(kind: Kind) -> Kind:
    """What such a class is as a base of another one; any other kind as it is."""
    match kind:
        case kinds.Partial(function=kinds.Reference(name=name) as head) if name == TYPE:
            return head
        case _:
            return kind


def field(kind: Kind, name: str) -> Kind | None:
    """An attribute of a named tuple of which the fields are known; None for all others, and for what is no field."""
    match kind:
        case External(cls=cls, args=(kinds.Const(value=str(names)), *items)) if cls == TYPE:
            return dict(zip(names.split(), items, strict=False)).get(name)
        case _:
            return None


def as_tuple(inspector: Inspector, kind: Kind) -> kinds.Sequence | None:
    """The plain tuple that a named one is; None for all others, and where its fields are not known."""
    match kind:
        case kinds.Tensor() | kinds.Sequence():  # most are
            return None
        case External(cls=cls, args=(kinds.Const(value=str()), *items)) if cls == TYPE:
            return kinds.sequence("tuple", items)
        case kinds.Instance() if DECLARED in classes.external_bases(inspector, kind.cls):
            fields = records.fields(inspector, kind.cls)
            items = [attributes.instance_attribute(inspector, kind, name) for name in fields]
            return kinds.sequence("tuple", items) if items else None
        case _:
            return None


def _names(kind: Kind) -> Iterator[str]:
    match kind:
        case kinds.Const(value=str(names)):
            yield from names.replace(",", " ").split()
        case kinds.Sequence(items=tuple(items)):
            for item in items:
                if isinstance(item, kinds.Const) and isinstance(item.value, str):
                    yield item.value
