"""Flags that are there to look into a program: `if self.debug:`, `if verbose > 1:`.

They are off where nobody turns them on, and who turns them on wants to see something, not to be fast.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from compilelint.inspect.deciding.comparing import COMPARE, Open

_WORDS = frozenset(
    {"debug", "debugging", "dbg", "dump", "plot", "print", "profile", "profiler", "profiling", "verbose", "verbosity"}
)
ByDefault = Callable[[ast.expr], object]
"""What a name or an attribute is by default, `OPEN` where nothing tells."""


def outcome_for_debugging(test: ast.expr, by_default: ByDefault) -> bool | None:
    """What a condition comes to where such flags are as they are by default; None where they do not decide."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = outcome_for_debugging(operand, by_default)
            return None if found is None else not found
        case ast.BoolOp(op=op, values=values):
            stops = isinstance(op, ast.Or)
            outcomes = [outcome_for_debugging(value, by_default) for value in values]
            return stops if stops in outcomes else None if None in outcomes else not stops
        case ast.Name() | ast.Attribute() if _is_flag(test):
            value = by_default(test)
            return None if isinstance(value, Open) else bool(value)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=other)]) if _is_flag(left):
            value = by_default(left)
            try:
                return None if isinstance(value, Open) else bool(COMPARE[type(op)](value, other))
            except TypeError:
                return None
        case _:
            return None


def _is_flag(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return not _WORDS.isdisjoint(name.lower().strip("_").split("_"))
        case _:
            return False
