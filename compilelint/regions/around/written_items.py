"""The items of what a loop goes through, where source writes them down."""

from __future__ import annotations

import ast
from collections.abc import Callable

Bound = Callable[[ast.Name], ast.expr | None]
"""What a name stands for, if that is written down."""


def items_of(iterable: ast.expr, bound: Bound) -> list[ast.expr] | None:
    """What iterating over a list, a dict, a text, or a name for one of these gives; None for what is not written down.

    Nodes that stand nowhere in source (the letters of a text) have no place.
    """
    match iterable:
        case ast.Name():
            value = bound(iterable)
            return None if value is None or isinstance(value, ast.Name) else items_of(value, bound)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return items
        case ast.Constant(value=str(text)):
            return [ast.Constant(letter) for letter in text]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[], keywords=[]):
            return [ast.Constant(word) for word in text.split()]
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[ast.Constant(value=str(by))]
        ) if by:
            return [ast.Constant(word) for word in text.split(by)]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="splitlines"), args=[]):
            return [ast.Constant(line) for line in text.splitlines()]
        case ast.Dict():
            return [part.elts[0] for part in _pairs(iterable)]
        case ast.Call(func=ast.Attribute(value=held, attr="keys" | "values" | "items" as attr), args=[], keywords=[]):
            table = bound(held) if isinstance(held, ast.Name) else held
            if not isinstance(table, ast.Dict):
                return None
            pairs = _pairs(table)
            return [*pairs] if attr == "items" else [part.elts[attr == "values"] for part in pairs]
        case _:
            return None


def part_of_each(items: list[ast.expr], position: int, count: int) -> list[ast.expr] | None:
    """Of items that are tuples of so many parts, the one at a position."""
    parts = [item.elts for item in items if isinstance(item, ast.Tuple | ast.List) and len(item.elts) == count]
    return [each[position] for each in parts] if parts and len(parts) == len(items) else None


def _pairs(table: ast.Dict) -> list[ast.Tuple]:
    """Keys and values; of `**other` what is in it is not known, which adds to what is."""
    return [
        ast.Tuple([key, value], ast.Load())
        for key, value in zip(table.keys, table.values, strict=True)
        if key is not None
    ]
