"""Conditions that hold only where a computation has gone wrong: `if torch.isnan(loss).any():`,
`if not torch.isfinite(x).all():`. What stands there says so, and is for runs of which nobody minds the speed."""

from __future__ import annotations

import ast

_WRONG = frozenset({"isnan", "isinf"})
_RIGHT = "isfinite"
_SUMS_UP = frozenset({"any", "all", "sum", "item", "max", "count_nonzero"})


def is_for_not_finite(test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only where a number is none, or has no end."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_for_not_finite(operand, not outcome)
        case ast.BoolOp(op=op, values=values):
            each = [is_for_not_finite(value, outcome) for value in values]
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
