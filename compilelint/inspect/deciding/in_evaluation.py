"""What conditions come to in what is only evaluated: `if self.training:`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.deciding.modes import is_mode
from compilelint.inspect.members.unknown_names import is_module

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def in_evaluation(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to where `training` is false of every module; None if it asks for more than that."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            outcome = in_evaluation(frame, operand)
            return None if outcome is None else not outcome
        case ast.BoolOp(op=op, values=values):
            decides = isinstance(op, ast.Or)
            outcomes = [in_evaluation(frame, value) for value in values]
            if decides in outcomes:
                return decides
            return None if None in outcomes else not decides
        case ast.Attribute(value=owner, attr="training"):
            return False if is_module(frame.inspector.peek(frame, owner)) else None
        case ast.Name() if is_mode(frame, test):
            return False
        case _:
            return None
