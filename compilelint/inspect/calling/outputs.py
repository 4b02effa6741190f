"""`out=`: tensors that a call writes its result to, as far as the text around shows that they do not fit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_MAKERS = frozenset({"empty", "zeros", "new_empty", "new_zeros", "tensor", "Tensor"})


def report(frame: Frame, name: str, call: Call) -> None:
    """Report a call of torch whose `out=` is a tensor without elements, or a part of one that has gaps."""
    node = call.node
    if not isinstance(node, ast.Call) or "out" not in call.keywords or not name.startswith("torch."):
        return
    for part in _outputs(node):
        made = _made_as(frame, part) if isinstance(part, ast.Name) else part
        if _is_empty(made):
            frame.emit("call", node, callee="torch.out", construct="resized", args=call.args, keywords=call.keywords)
        elif _has_gaps(made):
            frame.emit("call", node, callee="torch.out", construct="strided", args=call.args, keywords=call.keywords)


def _outputs(node: ast.Call) -> Iterator[ast.expr]:
    for keyword in node.keywords:
        if keyword.arg == "out":
            yield from keyword.value.elts[:1] if isinstance(keyword.value, ast.Tuple | ast.List) else [keyword.value]


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


def _has_gaps(node: ast.expr | None) -> bool:
    """`t[:, :4]`, `t[..., 0]`, `t.t()`: its elements do not lie side by side."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), *rest])):
            return any(not _is_full(part) for part in rest)
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Constant(value=value), *rest])) if value is ...:
            return bool(rest)
        case ast.Call(func=ast.Attribute(attr="t"), args=[]) | ast.Attribute(attr="T" | "mT"):
            return True
        case _:
            return False


def _is_full(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and (node.lower, node.upper, node.step) == (None, None, None)
