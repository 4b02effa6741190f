"""Counts that a function takes back before it returns: `self.depth += 1`, and `self.depth -= 1` at its end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.frame import Frame, path_of
from compilelint.source.nodes import walk


def is_taken_back(frame: Frame, path: str | None) -> bool:
    """Whether what a function adds to something it surely subtracts again, so that the next call finds no other."""
    function = frame.function
    if function is None or path is None or isinstance(function.node, ast.Lambda):
        return False
    body = function.node.body
    moves = [
        (part, *moved)
        for part in walk(function.node)
        if isinstance(part, ast.AugAssign | ast.Assign) and (moved := _moved(part, path)) is not None
    ]
    match moves:
        case [(first, there, by), (last, back, again)] if {there, back} == {ast.Add, ast.Sub} and by == again:
            surely = dict(_surely_run(body))
            return first in surely and last in surely and (surely[last] or not _returns_between(body, first, last))
        case _:
            return False


def _moved(node: ast.stmt, path: str) -> tuple[type[ast.operator], str] | None:
    """How a statement moves what is at a path, and by how much; None for all that does not."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value) if path_of(target) == path:
            return type(op), ast.unparse(value)
        case ast.Assign(targets=[target], value=value) if path_of(target) == path:
            match value:
                case ast.BinOp(left=left, op=op, right=right) if path_of(left) == path:
                    return type(op), ast.unparse(right)
            return ast.operator, ""
        case _:
            return None


def _surely_run(body: list[ast.stmt], at_the_end: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that stand under no condition, each with whether it runs wherever the function returns."""
    for statement in body:
        yield statement, at_the_end
        if isinstance(statement, ast.With):
            yield from _surely_run(statement.body, at_the_end)
        elif isinstance(statement, ast.Try):
            yield from _surely_run(statement.body, at_the_end)
            yield from _surely_run(statement.finalbody, at_the_end=True)


def _returns_between(body: list[ast.stmt], first: ast.stmt, last: ast.stmt) -> bool:
    returns = (part for statement in body for part in walk(statement) if isinstance(part, ast.Return))
    return any(first.lineno <= each.lineno <= last.lineno for each in returns)
