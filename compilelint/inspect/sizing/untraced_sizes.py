"""Sizes given to what Dynamo traces for plain numbers only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.inspect.sizing import sizes
from compilelint.inspect.sizing.formats import is_for_numbers_only
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

UNTRACED_BUILTINS = ("builtins.divmod", "builtins.str", "builtins.bin", "builtins.hex", "builtins.oct")
UNTRACED_OF_MATH = ("math.gcd", "math.lcm", "math.isqrt", "math.factorial", "math.comb", "math.perm")
"""Functions that Dynamo traces for plain numbers, and not for a size that varies."""
SOUGHT_IN_RANGE = "builtins.range.__contains__"
FORMATTED = "builtins.format"
PERCENT = "builtins.str.__mod__"
SORTED = "builtins.sorted"


def report_untraced(callee: str, frame: Frame, call: Call) -> None:
    """Report where one of the functions that Dynamo traces for plain numbers only is given a size."""
    if frame.is_heard and isinstance(call.node, ast.Call):
        given = [part for part in call.node.args if sizes.is_part(frame, part)]
        _report_one_of(given, callee, sizes.OF_SIZE, frame, call.node, call.args)


def report_message(callee: str, frame: Frame, call: Call, message: ast.expr) -> None:
    """Report where the message of a check holds a size: a lambda goes into the graph with constants only."""
    if frame.is_heard:
        held = [part for part in walk(message) if isinstance(part, ast.Name) and sizes.is_size_of_local(frame, part)]
        _report_one_of(held, callee, "message-of-size", frame, call.node, call.args)


def report_sought(frame: Frame, node: ast.AST) -> None:
    """Report `n in range(a, b)` of a size."""
    if frame.is_heard and isinstance(node, ast.Compare) and len(node.ops) == 1:
        _report_one_of([node.left], SOUGHT_IN_RANGE, sizes.OF_SIZE, frame, node)


def report_formatted(frame: Frame, part: ast.FormattedValue) -> None:
    """Report `f"{n:03d}"` of a size: the format is applied to the text of a symbol, which refuses it."""
    if frame.is_heard and part.conversion == -1 and is_for_numbers_only(part.format_spec):
        parts = [node for node in walk(part.value) if isinstance(node, ast.expr) and sizes.is_part(frame, node)]
        _report_one_of(parts, FORMATTED, sizes.OF_SIZE, frame, part)


def report_percent(frame: Frame, node: ast.BinOp | ast.AugAssign) -> None:
    """Report `"%d" % n` of a size, which Dynamo does with plain numbers only."""
    if frame.is_heard and isinstance(node, ast.BinOp):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        _report_one_of([part for part in values if sizes.is_part(frame, part)], PERCENT, sizes.OF_SIZE, frame, node)


def report_sorted(frame: Frame, call: Call) -> None:
    """Report what is put in order by sizes, be it by rows that begin with them: of symbols nobody knows the order.

    By what a key asks of each tensor nobody is sure: parameters are as large in every call.
    """
    if not frame.is_heard or not isinstance(call.node, ast.Call) or not call.node.args:
        return
    key = next((option.value for option in call.node.keywords if option.arg == "key"), None)
    if key is None:
        _report_one_of(list(_items(frame, call.node.args[0])), SORTED, sizes.OF_SIZE, frame, call.node)
    elif isinstance(key, ast.Lambda):
        with frame.at_most(Confidence.LOW):
            _report_one_of(list(_items(frame, key.body)), SORTED, sizes.OF_SIZE, frame, call.node)


def _items(frame: Frame, ordered: ast.expr) -> Iterator[ast.expr]:
    """The sizes by which something is put in order."""
    match ordered:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from _items(frame, part)
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.UnaryOp(op=ast.USub(), operand=part):
            yield from _items(frame, part)
        case _ if sizes.is_part(frame, ordered) or (isinstance(ordered, ast.Attribute) and ordered.attr == "shape"):
            yield ordered


def _report_one_of(
    given: Sequence[ast.expr], callee: str, construct: str, frame: Frame, node: ast.AST, args: tuple[Kind, ...] = ()
) -> None:
    """Report it if one of these is a size; mostly it is the same where all are batches, widths and counts."""
    if any(sizes.is_size_of_local(frame, part) for part in given):
        is_fixed = all(sizes.is_of_batch_or_width(frame, part) or sizes.is_named_for_count(part) for part in given)
        sure = Confidence.LOW if is_fixed else Confidence.MEDIUM
        frame.emit("call", node, callee=callee, construct=construct, args=args, confidence=sure)
