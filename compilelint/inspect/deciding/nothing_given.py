"""Conditions that hold only for what hardly anybody gives a model: a tensor that holds nothing, keywords that it has no
use for: `if x.numel() == 0:`, `if kwargs:`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.source.nodes import positional_names

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def is_for_nothing(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only where a tensor is empty, or a root is given more than it names."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_for_nothing(frame, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            return any(is_for_nothing(frame, value, True) for value in values)
        case ast.Compare(left=size, ops=[op], comparators=[ast.Constant(value=0)]):
            is_empty = isinstance(op, ast.Eq | ast.LtE)
            if not is_empty and not isinstance(op, ast.NotEq | ast.Gt):
                return False
            return (outcome is is_empty and _is_size_of_input(frame, size)) or (
                outcome is not is_empty and _holds_the_rest(frame, size)
            )
        case _:
            return outcome and _holds_the_rest(frame, test)


def _holds_the_rest(frame: Frame, node: ast.expr) -> bool:
    """Whether it is, or counts, `**kwargs` of a root, which nothing names."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            function = frame.function
            rest = None if function is None or frame.route.depth else function.node.args.kwarg
            return rest is not None and rest.arg == name
        case _:
            return False


def _is_size_of_input(frame: Frame, node: ast.expr) -> bool:
    """`x.numel()`, `x.shape[0]`, `x.size(0)`, `len(x)` of what is given: what is made may well be empty."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="numel" | "nelement"), args=[]):
            pass
        case ast.Call(func=ast.Attribute(value=owner, attr="size"), args=[ast.Constant() | ast.UnaryOp()]):
            pass
        case ast.Subscript(value=ast.Attribute(value=owner, attr="shape"), slice=ast.Constant() | ast.UnaryOp()):
            pass
        case ast.Call(func=ast.Name(id="len"), args=[owner]):
            pass
        case _:
            return False
    given = () if frame.function is None else positional_names(frame.function.node.args)
    tensor = frame.inspector.peek(frame, owner) if isinstance(owner, ast.Name) and owner.id in given else None
    return isinstance(tensor, kinds.Tensor) and tensor.parameter
