"""Calls that are made only where a length is one: `if seq_len == 1: self.step(x)`, as models that generate text do.

A loop over that length is one round there, in each call: nothing is compiled for another length.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.frame import Frame
from compilelint.inspect.sizing import sizes
from compilelint.source.nodes import walk


def is_called_for_one(frame: Frame, call: ast.AST) -> bool:
    """Whether a call stands where a length is known to be one, or all that is walked here does."""
    if frame.route.single:
        return True
    function = frame.function
    if not frame.conditions or function is None or not isinstance(call, ast.Call):
        return False
    places = frame.inspector.derived(("calls for one", function.key), lambda: frozenset(_places(frame, function.node)))
    return (call.lineno, call.col_offset) in places


def _places(frame: Frame, function: ast.AST) -> Iterator[tuple[int, int]]:
    for node in walk(function):
        if isinstance(node, ast.If) and _is_one(frame, node.test):
            for statement in node.body:
                yield from ((part.lineno, part.col_offset) for part in walk(statement) if isinstance(part, ast.Call))


def _is_one(frame: Frame, test: ast.expr, passed: frozenset[str] = frozenset()) -> bool:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_one(frame, value, passed) for value in values)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=1)]):
            return sizes.is_named_for_length(left) and sizes.compares_sizes(frame, test)
        case ast.Name(id=name) if name not in passed:
            found = sizes.assigned_to(frame, name)
            return len(found) == 1 and _is_one(frame, found[0], passed | {name})
        case _:
            return False
