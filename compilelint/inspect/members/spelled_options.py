"""Options and numbers as they are written: `aux=False`, `mode="sum"`, `p=-1`."""

from __future__ import annotations

import ast

from compilelint.inspect.kinds import Const


def is_option(kind: Const) -> bool:
    """Whether it is a flag, a text or None."""
    return kind.value is None or isinstance(kind.value, bool | str)


def constant_spelled(value: ast.expr | None) -> Const | None:
    """An option or a number, as it is written."""
    match value:
        case ast.Constant(value=int() | float() as number):
            return Const(number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return Const(-number)
        case _:
            return option_spelled(value) if value is not None else None


def option_spelled(value: ast.expr) -> Const | None:
    """A flag, a text or None, as it is written."""
    match value:
        case ast.Constant(value=bool() | str() | None as constant):
            return Const(constant)
        case _:
            return None
