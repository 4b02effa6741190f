"""`out=`: tensors that a call writes its result to, as far as the text around shows that they do not fit."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.frame import Frame
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_MAKERS = frozenset({"empty", "zeros", "new_empty", "new_zeros", "tensor", "Tensor"})


def report(frame: Frame, name: str, call: Call) -> None:
    """Report a call of torch whose `out=` is a tensor without elements, or a part of one that has gaps."""
    node = call.node
    if not isinstance(node, ast.Call) or "out" not in call.keywords or not name.startswith("torch."):
        return
    for part, is_alone in _outputs(node):
        made = _made_as(frame, part) if isinstance(part, ast.Name) else part
        if _is_empty(made):
            frame.emit("call", node, callee="torch.out", construct="resized", args=call.args, keywords=call.keywords)
        elif is_alone and (sure := _has_gaps(made)) is not None:
            frame.emit(
                "call",
                node,
                callee="torch.out",
                construct="strided",
                args=call.args,
                keywords=call.keywords,
                confidence=sure,
            )


def _outputs(node: ast.Call) -> Iterator[tuple[ast.expr, bool]]:
    """With whether it is the only one: of several Dynamo (torch 2.13) does not ask how they lie in memory."""
    for keyword in node.keywords:
        if keyword.arg != "out":
            continue
        if isinstance(keyword.value, ast.Tuple | ast.List):
            yield from ((part, False) for part in keyword.value.elts[:1])
        else:
            yield keyword.value, True


def _made_as(frame: Frame, name: ast.Name) -> ast.expr | None:
    """What a name was assigned in this function before it is used here, if that happened once.

    What a loop assigns further down, it is from its second round on.
    """
    if frame.function is None:
        return None
    values: list[ast.expr] = []
    for node in walk(frame.function.node):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name.id:
                values.append(value)
            case ast.Assign(targets=[ast.Tuple(elts=elts)], value=ast.Tuple(elts=parts)) if len(elts) == len(parts):
                values.extend(
                    part
                    for target, part in zip(elts, parts, strict=True)
                    if isinstance(target, ast.Name) and target.id == name.id
                )
    before = [value for value in values if (value.lineno, value.col_offset) < (name.lineno, name.col_offset)]
    return before[0] if len(before) == 1 else None


def _is_empty(node: ast.expr | None) -> bool:
    """`torch.empty(0)` and its like: torch gives it the size of the result."""
    match node:
        case ast.Call(func=ast.Attribute(attr=maker), args=[ast.Constant(value=0)]):
            return maker in _MAKERS
        case ast.Call(func=ast.Attribute(attr="tensor"), args=[ast.List(elts=[])]):
            return True
        case ast.Call(func=ast.Attribute(attr=maker), args=[], keywords=[]):
            return maker == "new" or maker.endswith("Tensor")
        case _:
            return False


def _has_gaps(node: ast.expr | None) -> Confidence | None:
    """How surely the elements of `t[:, :4]`, `t[..., 0]`, `t.t()` do not lie side by side; None where they may.

    Of `t[:n, :m]` it is less sure: as much as a buffer has may be taken of it.
    """
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Constant(value=value), *rest])) if value is ...:
            return Confidence.HIGH if rest else None
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            rows = list(itertools.dropwhile(_is_one, parts))
            if not rows or not isinstance(rows[0], ast.Slice) or all(map(_is_full, rows[1:])):
                return None
            return Confidence.HIGH if _is_full(rows[0]) else Confidence.MEDIUM
        case ast.Call(func=ast.Attribute(attr="t"), args=[]) | ast.Attribute(attr="T" | "mT"):
            return Confidence.HIGH
        case _:
            return None


def _is_one(node: ast.expr) -> bool:
    """Whether it takes one row: `2`, `i`, `i : i + 1`."""
    match node:
        case ast.Slice(lower=ast.expr() as lower, upper=ast.BinOp(left, ast.Add(), ast.Constant(value=1)), step=None):
            return ast.dump(lower) == ast.dump(left)
        case ast.Slice(lower=None | ast.Constant(value=0), upper=ast.Constant(value=1), step=None):
            return True
        case _:
            return isinstance(node, ast.Name | ast.BinOp) or (
                isinstance(node, ast.Constant) and type(node.value) is int
            )


def _is_full(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and (node.lower, node.upper, node.step) == (None, None, None)
