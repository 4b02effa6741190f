"""What is counted up: items that may not be there yet (`counts[name] = counts.get(name, 0) + 1`), and attributes."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence


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


def is_named(owner: Kind) -> bool:
    """Whether it is a function, a class or a module, of which it does not matter what is written there."""
    return isinstance(owner, kinds.Function | kinds.ProjectClass | kinds.ProjectModule)


def as_counted(statement: ast.stmt, kind: Kind) -> tuple[Kind, Confidence]:
    """What an attribute becomes that is added to, and how surely: what takes a number is no container, if unknown."""
    match statement:
        case ast.AugAssign(op=ast.Add() | ast.Sub(), value=ast.Constant(value=int() | float() as number)) if (
            kind == UNKNOWN
        ):
            return kinds.Python(type(number).__name__), Confidence.LOW
        case _:
            return kind, Confidence.HIGH
