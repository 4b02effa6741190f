"""Items that are counted where they may not be there yet: `counts[name] = counts.get(name, 0) + 1`."""

from __future__ import annotations

import ast


def item_got(node: ast.expr) -> ast.expr:
    """`counts[name]` of `counts.get(name, 0)`; all else as it is."""
    match node:
        case ast.Call(func=ast.Attribute(value=container, attr="get"), args=[key, ast.Constant(value=int() | float())]):
            return ast.copy_location(ast.Subscript(container, key, ast.Load()), node)
        case _:
            return node


def is_counted_from(statement: ast.stmt) -> bool:
    """Whether whole numbers are what is counted, `counts[name] = counts.get(name, 0) + 1`: of what the dict holds else
    nothing may be known."""
    match statement:
        case ast.Assign(
            value=ast.BinOp(left=ast.Call(args=[_, ast.Constant(value=start)]), right=ast.Constant(value=n))
        ):
            return type(start) is int and type(n) is int
        case _:
            return False
