"""What of a value is another one each time."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

What = Literal[
    "int",
    "float",
    "str",
    "bool",
    "none",
    "length",
    "keys",
    "shape",
    "member",
    "dtype",
    "function",
    "rank",
    "kind",
    "layer",
]


class Variation(Struct, frozen=True):
    """What changes: a number, a text, whether there is a value at all, how long a container is, a tensor's sizes, a
    member of an Enum, a dtype, a function, how many sizes a tuple has, a tensor's dtype or number of dimensions, a
    layer of another class or with parameters of other sizes."""

    what: What
    values: int | None = None
    """How many values there are; None where source does not tell."""
    read: bool = False
    """Whether it is read of data, which may say the same each time."""


def of_constant(op: ast.operator, found: Variation | None, other: float) -> Variation | None:
    """What is computed of a number that changes and of one that stays."""
    if found is None or found.what not in ("int", "float"):
        return None
    match op:
        case ast.Div():
            return replace(found, what="float")
        case ast.Add() | ast.Sub() | ast.Mult():
            return replace(found, what="float") if isinstance(other, float) else found
        case _:
            return None


def of_constants(items: Sequence[ast.expr]) -> Variation | None:
    """What one after the other of these is, if all are constants of one type."""
    values = [item.value for item in items if isinstance(item, ast.Constant)]
    if not values or len(values) != len(items) or len({type(value) for value in values}) != 1:
        return None
    distinct = len(set(values))
    match values[0]:
        case bool():
            return Variation("bool", distinct) if distinct > 1 else None
        case int():
            return Variation("int", distinct) if distinct > 1 else None
        case float():
            return Variation("float", distinct) if distinct > 1 else None
        case str():
            return Variation("str", distinct) if distinct > 1 else None
        case _:
            return None
