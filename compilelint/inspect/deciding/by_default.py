"""What a condition comes to where what it asks for is as it is by default: `if self.verbose and step > 1:`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compilelint.inspect.deciding.comparing import COMPARE, Open

ByDefault = Callable[[ast.expr], object]
"""What a name or an attribute is by default, `OPEN` where nothing tells."""


def outcome_by_default(test: ast.expr, by_default: ByDefault) -> bool | None:
    """What a condition comes to where flags are as they are by default; None where they do not decide."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = outcome_by_default(operand, by_default)
            return None if found is None else not found
        case ast.BoolOp(op=op, values=values):
            stops = isinstance(op, ast.Or)
            outcomes = [outcome_by_default(value, by_default) for value in values]
            return stops if stops in outcomes else None if None in outcomes else not stops
        case ast.Name() | ast.Attribute():
            value = by_default(test)
            return None if isinstance(value, Open) else bool(value)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=other)]):
            value = by_default(left)
            try:
                return None if isinstance(value, Open) else bool(COMPARE[type(op)](value, other))
            except TypeError:
                return None
        case _:
            return None
