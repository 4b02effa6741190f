"""Conditions that hold only where a computation has gone wrong: `if torch.isnan(loss).any():`,
`if not torch.isfinite(x).all():`. What stands there says so, and is for runs of which nobody minds the speed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_WRONG = frozenset({"isnan", "isinf"})
_RIGHT = "isfinite"
_SUMS_UP = frozenset({"any", "all", "sum", "item", "max", "count_nonzero"})


def is_for_not_finite(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only where a number is none, or has no end: it asks so itself, or by a
    function of the project that does nothing else (`if is_broken(loss):`)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_for_not_finite(frame, test.operand, not outcome)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name):
        returned = _returned(frame, test.func)
        test = test if returned is None else returned
    return _is_for_not_finite(test, outcome)


def _returned(frame: Frame, function: ast.Name) -> ast.expr | None:
    """What such a function gives back."""
    callee = frame.inspector.peek(frame, function)
    info = frame.inspector.tree.function(callee.key) if isinstance(callee, kinds.Function) else None
    module = frame.inspector.tree.module(info.key[0]) if info is not None else None
    if info is None or module is None or isinstance(info.node, ast.Lambda):
        return None
    if not any(says(info.node, module.lines, word) for word in (*_WRONG, _RIGHT)):
        return None
    match info.node.body:
        case [ast.Return(value=ast.expr() as value)] | [
            ast.Expr(value=ast.Constant()),
            ast.Return(value=ast.expr() as value),
        ]:
            return value
        case _:
            return None


def _is_for_not_finite(test: ast.expr, outcome: bool) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_for_not_finite(operand, not outcome)
        case ast.BoolOp(op=op, values=values):
            each = [_is_for_not_finite(value, outcome) for value in values]
            return any(each) if isinstance(op, ast.And) is outcome else all(each)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return outcome and _asks(left) == "wrong"
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return not outcome and _asks(left) == "wrong"
        case ast.Call():
            asked = _asks(test)
            return asked == ("wrong" if outcome else "right")
        case _:
            return False


def _asks(node: ast.expr) -> str:
    """What an expression asks for: "wrong", "right", or nothing of the sort."""
    match node:
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _WRONG:
            return "wrong"
        case ast.Call(func=ast.Attribute(attr=attr)) if attr == _RIGHT:
            return "right"
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr), args=[inner, *_]) if attr in _SUMS_UP:
            return _asks(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in _SUMS_UP:
            return _asks(inner)
        case ast.Call(func=ast.Name(id="bool" | "int" | "any" | "float"), args=[inner]):
            return _asks(inner)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return "wrong" if _asks(left) == _asks(right) == "wrong" else ""
        case _:
            return ""
