"""Sizes of tensors that are given as numbers: `model(ids, ids.shape[1])`, where these are others each time."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scopes import Scope
from compilelint.regions.around.written_items import items_of
from compilelint.regions.changes.changing_tensors import grown_dimension, number_of, sizes_given
from compilelint.regions.changes.variations import Variation, of_constants

Varies: TypeAlias = Callable[[ast.expr, tuple[Loop, ...]], Variation | None]
"""What these loops change about an expression."""


def size_asked(node: ast.expr) -> tuple[ast.expr, int] | None:
    """The tensor and the dimension that `x.shape[1]`, `x.size(1)` and `len(x)` ask for; None of all else."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=tensor, attr="shape"), slice=index):
            dimension = number_of(index)
        case ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[index], keywords=[]):
            dimension = number_of(index)
        case ast.Call(func=ast.Name(id="len"), args=[tensor]):
            dimension = 0
        case _:
            return None
    return None if dimension is None else (tensor, dimension)


def size_unpacked(bound: scopes.Bound) -> tuple[ast.expr, int] | None:
    """The same of a name that is bound by `rows, columns = x.shape`."""
    match bound.unpacked:
        case ast.Attribute(value=tensor, attr="shape"), (int(place),):
            return tensor, place
        case _:
            return None


def size_varies(
    scope: Scope, tensor: ast.expr, dimension: int, loops: tuple[Loop, ...], varies: Varies
) -> Variation | None:
    """What the loops change about one size of a tensor."""
    if not isinstance(tensor, ast.Name):
        return _of_made(scope, tensor, dimension, loops, varies)
    if grown_dimension(scope, tensor.id, loops[-1]) == dimension:
        return Variation("int")
    for loop in reversed(loops):
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and loop.target.id == tensor.id:
            return _of_items(scope, loop.iter, dimension, varies)
    found = scopes.binding_at(scope, tensor.id, scopes.start_of(tensor))
    if found is None or found[0] is not scope or found[1].since <= scopes.start_of(loops[0]):
        return None
    is_made = found[1].iterated is None and found[1].value is not None
    return _of_made(scope, found[1].value, dimension, loops, varies) if is_made else None


def _of_made(
    scope: Scope, made: ast.expr | None, dimension: int, loops: tuple[Loop, ...], varies: Varies
) -> Variation | None:
    match made:
        case ast.Call():
            sizes = list(sizes_given(scope, made))
            size = sizes[dimension] if -len(sizes) <= dimension < len(sizes) else None
        case ast.Subscript(slice=ast.Tuple(elts=parts)) if 0 <= dimension < len(parts):
            size = _length_of(parts[dimension]) if all(isinstance(part, ast.Slice) for part in parts) else None
        case ast.Subscript(slice=part) if dimension == 0:
            size = _length_of(part)
        case _:
            size = None
    found = varies(size, loops) if size is not None else None
    return found if found is not None and found.what == "int" else None


def _length_of(part: ast.expr) -> ast.expr | None:
    """The bound that says how long `[:n]` is."""
    match part:
        case ast.Slice(lower=None, upper=ast.expr() as upper, step=None):
            return upper
        case _:
            return None


def _of_items(scope: Scope, iterable: ast.expr, dimension: int, varies: Varies) -> Variation | None:
    """What the items of a list differ by that is written down, or made by a comprehension."""
    written = _written(scope, iterable) if isinstance(iterable, ast.Name) else iterable
    match written:
        case ast.ListComp(elt=made, generators=[generator]):
            loop = ast.copy_location(ast.For(generator.target, generator.iter, [ast.Expr(made)], []), written)
            return _of_made(scope, made, dimension, (loop,), varies)
    items = items_of(iterable, lambda name: _written(scope, name))
    found = list(_sizes(scope, items or [], dimension))
    return of_constants(found) if items and len(found) == len(items) else None


def _sizes(scope: Scope, items: list[ast.expr], dimension: int) -> Iterator[ast.expr]:
    for item in items:
        sizes = list(sizes_given(scope, item)) if isinstance(item, ast.Call) else []
        if -len(sizes) <= dimension < len(sizes):
            yield sizes[dimension]


def _written(scope: Scope, name: ast.Name) -> ast.expr | None:
    found = scopes.binding_at(scope, name.id, scopes.start_of(name))
    return found[1].value if found is not None and found[1].iterated is None else None
