"""Numbers that Python reads of data that is other data in each iteration: `lengths.max().item()` of each batch."""

from __future__ import annotations

import ast

from compilelint.regions.around import scopes
from compilelint.regions.around.driving import Loop
from compilelint.regions.around.scopes import Scope
from compilelint.source.nodes import walk

_READING = frozenset({"max", "min", "sum", "amax", "argmax", "item"})


def is_read(scope: Scope, node: ast.Call, loops: tuple[Loop, ...]) -> bool:
    """Whether a call gives a number of what an iteration brings: `int(y.max())`, `y[0].item()`, `max(map(len, y))`."""
    data = data_read(node)
    return data is not None and is_brought(scope, data, loops)


def data_read(node: ast.Call) -> ast.expr | None:
    """What a number is read of; None of all other calls."""
    match node:
        case ast.Call(func=ast.Attribute(value=data, attr="item"), args=[]):
            return data
        case ast.Call(func=ast.Name(id="int"), args=[ast.Call(func=ast.Attribute(value=data, attr=attr))]):
            return data if attr in _READING else None
        case ast.Call(func=ast.Name(id="int"), args=[ast.Subscript(value=data)]):
            return data
        case ast.Call(
            func=ast.Name(id="max"), args=[ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="len"), data])]
        ):
            return data
        case ast.Call(
            func=ast.Name(id="max"),
            args=[
                ast.GeneratorExp(elt=ast.Call(func=ast.Name(id="len")), generators=[ast.comprehension(iter=data)])
                | ast.ListComp(elt=ast.Call(func=ast.Name(id="len")), generators=[ast.comprehension(iter=data)])
            ],
        ):
            return data
        case _:
            return None


def is_brought(scope: Scope, data: ast.expr, loops: tuple[Loop, ...], depth: int = 4) -> bool:
    """Whether something is an item of one of these loops, or made of one in it."""
    names = [part for part in walk(data) if isinstance(part, ast.Name)]
    return bool(depth) and any(_is_name_brought(scope, name, loops, depth) for name in names)


def _is_name_brought(scope: Scope, name: ast.Name, loops: tuple[Loop, ...], depth: int) -> bool:
    if any(_binds(loop, name.id) for loop in loops):
        return True
    found = scopes.binding_at(scope, name.id, scopes.start_of(name))
    if found is None or found[0] is not scope or found[1].since <= scopes.start_of(loops[0]):
        return False
    value = found[1].value
    return value is None or is_brought(scope, value, loops, depth - 1)  # None where a tuple is taken apart


def _binds(loop: Loop, name: str) -> bool:
    """Whether a loop over something that is not counted gives a name its items."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"))) | ast.While():
            return False
        case ast.For(target=target) | ast.AsyncFor(target=target):
            return any(isinstance(part, ast.Name) and part.id == name for part in walk(target))
