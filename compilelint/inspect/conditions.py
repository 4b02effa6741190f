"""What conditions say about how likely, and how often, the code under them runs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.report.model import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame

_HALF = {"torch.float16", "torch.half"}


def needs_half_precision(frame: Frame, test: ast.expr) -> bool:
    """Whether a condition holds only for float16: `x.dtype == torch.float16 and …`, as guards against overflow have it.

    Such a path is one that most programs never take; what happens on it is reported with low confidence.
    """
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(needs_half_precision(frame, value) for value in values)
        case ast.Compare(ops=[ast.Eq() | ast.Is()], comparators=[ast.Attribute() as dtype]):
            kind = frame.inspector.peek(frame, dtype)
            return isinstance(kind, kinds.Reference) and kind.name in _HALF
        case _:
            return False


def happens_once(frame: Frame) -> Confidence:
    """LOW where a condition holds in the first call only: `if self.x is None:`, `if not hasattr(self, "x"):`."""
    first_time = any(_is_first_time(condition) for condition in frame.conditions)
    return Confidence.LOW if first_time else Confidence.HIGH


def _is_first_time(condition: ast.expr) -> bool:
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute() | ast.Call(func=ast.Name(id="hasattr"))):
            return True
        case ast.Compare(left=ast.Attribute(), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return any(_is_first_time(value) for value in values)
        case _:
            return False
