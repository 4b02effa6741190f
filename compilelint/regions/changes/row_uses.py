"""Loops of a compiled function over the rows of a tensor that it is given: the graph holds what is done for each.

So it is for one number of rows only, by `dynamic=True` too; of `torch.chunk` it is not, which gives as many parts of
any tensor (seen with torch 2.13).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.regions.around.compiled import Target
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.specialising import Use
from compilelint.regions.changes.spelled import is_rebound, is_spelled, live_nodes, passed_on

_SAME_ITEMS = frozenset({"enumerate", "zip", "reversed", "list", "tuple", "iter", "map"})
_DEPTH = 2


def row_use(scope: Scope, target: Target, parameter: str, depth: int = _DEPTH) -> Use | None:
    """Where a function goes through all rows of a parameter, or hands it on to one that does."""
    if is_rebound(target, parameter):
        return None
    for node in live_nodes(target):
        for iterable in _gone_through(node):
            if any(_gives_rows(part, parameter) for part in _parts(iterable)):
                return Use("rows", iterable, target)
    inner = passed_on(scope, target, parameter) if depth else ()
    return next((use for each, name in inner if (use := row_use(scope, each, name, depth - 1)) is not None), None)


def _gone_through(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
            yield iterable
        case ast.Starred(value=iterable, ctx=ast.Load()):
            yield iterable


def _parts(iterable: ast.expr) -> Iterator[ast.expr]:
    """`x` and `y` of `enumerate(zip(x, y))`."""
    match iterable:
        case ast.Call(func=ast.Name(id=called), args=args) if called in _SAME_ITEMS:
            for arg in args[called == "map" :]:
                yield from _parts(arg)
        case _:
            yield iterable


def _gives_rows(node: ast.expr, parameter: str) -> bool:
    """Whether it is the tensor, or its parts along the first dimension: `x.unbind()`, `torch.split(x, 4)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="unbind" | "split" as attr), args=args, keywords=keywords):
            is_function = isinstance(owner, ast.Name) and owner.id == "torch"
            given = args if is_function else [owner, *args]
            named = [each.value for each in keywords if each.arg == "dim"]
            dimension = (*named, *given[1 + (attr == "split") :], ast.Constant(0))[0]
            is_one_size = attr == "unbind" or (len(given) > 1 and isinstance(given[1], ast.Constant))
            is_first = isinstance(dimension, ast.Constant) and dimension.value == 0
            return bool(given) and is_one_size and is_first and is_spelled(given[0], parameter)
        case _:
            return is_spelled(node, parameter)
