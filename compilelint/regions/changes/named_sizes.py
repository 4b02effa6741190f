"""Names that a compiled function gives to sizes: numbers, whatever the tensor is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.regions.around.compiled import Target
from compilelint.regions.changes.spelled import live_nodes
from compilelint.source.nodes import walk


def sizes_named(target: Target) -> frozenset[str]:
    """The names that stand for nothing but sizes: `n, length, c = x.shape`, `length = x.size(1)`."""
    of_sizes, of_others = set[str](), set[str]()
    for node in live_nodes(target):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_size(value):
                of_sizes.add(name)
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if _is_shape(value):
                of_sizes.update(part.id for part in parts if isinstance(part, ast.Name))
            case ast.Assign(targets=targets):
                of_others.update(_stored(targets))
            case ast.For(target=bound) | ast.NamedExpr(target=bound) | ast.AugAssign(target=bound):
                of_others.update(_stored([bound]))
    return frozenset(of_sizes - of_others)


def _stored(targets: Sequence[ast.expr]) -> Iterator[str]:
    return (part.id for each in targets for part in walk(each) if isinstance(part, ast.Name))


def _is_shape(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[]):
            return True
        case ast.Subscript(value=value, slice=ast.Slice()):
            return _is_shape(value)
        case _:
            return False


def _is_size(node: ast.expr) -> bool:
    match node:
        case ast.Subscript(value=value, slice=index):
            return _is_shape(value) and not isinstance(index, ast.Slice)
        case ast.Call(func=ast.Attribute(attr="size"), args=[_]) | ast.Call(func=ast.Attribute(attr="numel"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
        case _:
            return False
