"""What counts the rounds of a loop: `i` of `for i in range(n)`, which is every number once."""

from __future__ import annotations

import ast
from typing import Any

from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk


def is_counted(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression is another number in each round of a loop: `i`, `i + 1`, `i % 2`."""
    match node:
        case ast.Name(id=name):
            return name in _counters(frame)
        case ast.BinOp(left=left, right=right):
            return is_counted(frame, left) or is_counted(frame, right)
        case _:
            return False


def is_never_counted(value: Any) -> bool:
    """Whether no count is this, or among these: what options are that name no round by default, None, -1 and ()."""
    match value:
        case None | [] | ():
            return True
        case int():
            return value < 0
        case _:
            return False


def _counters(frame: Frame) -> frozenset[str]:
    function = frame.function
    if function is None:
        return frozenset()
    return frame.inspector.derived(
        ("counters", function.key),
        lambda: frozenset(
            name.id
            for node in walk(function.node)
            if isinstance(node, ast.For | ast.comprehension) and (name := _counter(node.target, node.iter)) is not None
        ),
    )


def _counter(target: ast.expr, iterated: ast.expr) -> ast.Name | None:
    match target, iterated:
        case ast.Name() as name, ast.Call(func=ast.Name(id="range")):
            return name
        case ast.Tuple(elts=[ast.Name() as name, _]), ast.Call(func=ast.Name(id="enumerate")):
            return name
        case _:
            return None
