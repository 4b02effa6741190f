"""What lists and dicts hold that a script calls: `steps["a"](x)`, `for step in steps: step(x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.regions.around import scopes
from compilelint.regions.around.scope_kinds import iterated, kind_at
from compilelint.regions.around.scopes import Scope, item_paths

_Comprehension = ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp


def items_called(scope: Scope, node: ast.expr) -> Iterator[tuple[ast.expr, ast.comprehension | None]]:
    """The expressions of which something that is called is one, each with the `for` of a comprehension around it."""
    match node:
        case ast.Subscript(value=held, slice=index):
            yield from _items(scope, held, (), index)
        case ast.Name(id=name):
            found = scopes.binding_at(scope, name, scopes.start_of(node))
            if found is not None and found[1].iterated is not None and found[1].value is not None:
                yield from _items(found[0], found[1].value, found[1].iterated, None)


def _items(
    scope: Scope, held: ast.expr, path: tuple[int, ...], index: ast.expr | None, depth: int = 3
) -> Iterator[tuple[ast.expr, ast.comprehension | None]]:
    match held:
        case ast.Name(id=name) if depth:
            found = scopes.binding_at(scope, name, scopes.start_of(held))
            if found is not None and found[1].iterated is None and found[1].value is not None:
                yield from _items(found[0], found[1].value, path, index, depth - 1)
        case ast.Dict(keys=keys, values=values) if index is not None:
            named = [value for key, value in zip(keys, values, strict=True) if _is_same(key, index)]
            yield from ((value, None) for value in named or values)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if path == ():
            yield from ((element, None) for element in elements)
        case ast.DictComp(value=value, generators=[generator]) if index is not None:
            yield value, generator
        case ast.ListComp(elt=element, generators=[generator]) if path == ():
            yield element, generator
        case ast.Call(func=ast.Attribute(value=table, attr="values"), args=[]) if path == ():
            yield from _items(scope, table, (), ast.Constant(None), depth)
        case ast.Call(func=ast.Attribute(value=table, attr="items"), args=[]) if path == (1,):
            yield from _items(scope, table, (), ast.Constant(None), depth)
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if path[:1] == (1,):
            yield from _items(scope, inner, path[1:], None, depth)
        case ast.Call(func=ast.Name(id="zip"), args=args) if path and path[0] < len(args):
            yield from _items(scope, args[path[0]], path[1:], None, depth)


def kind_in_comprehension(scope: Scope, node: ast.expr, generator: ast.comprehension | None) -> Kind:
    """What an expression is in a comprehension, whose own names no scope binds."""
    if generator is not None and isinstance(node, ast.Name):
        path = dict(item_paths(generator.target)).get(node.id)
        if path is not None:
            return iterated(generator.iter, path, lambda inner: kind_at(scope, inner))
    return UNKNOWN


def _is_same(key: ast.expr | None, index: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and isinstance(index, ast.Constant) and key.value == index.value
