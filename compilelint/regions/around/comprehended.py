"""Comprehensions around calls, as the loops that they are: `[step(x, i) for i in range(n)]`."""

from __future__ import annotations

import ast

from compilelint.regions.around.scopes import Statement
from compilelint.source.nodes import walk

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def comprehensions_around(statement: Statement, call: ast.Call) -> tuple[ast.For, ...]:
    """The comprehensions of a statement that make a call for each of their items, outermost first, as `for` loops of
    the same names over the same items."""
    return tuple(
        ast.copy_location(ast.For(generator.target, generator.iter, [ast.Expr(made)], []), node)
        for node in walk(statement.node)
        if isinstance(node, _Comprehension)
        for made in _made(node)
        if any(part is call for part in walk(made))
        for generator in node.generators
    )


def _made(node: _Comprehension) -> tuple[ast.expr, ...]:
    """What a comprehension evaluates for each item."""
    return (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
