"""Registered buffers that are replaced by a longer or shorter one made from themselves."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import classes, kinds
from compilelint.inspect.kinds import Kind

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_JOINING = frozenset({"cat", "concat", "concatenate", "hstack", "vstack"})


def resizes_buffer(inspector: Inspector, owner: Kind, target: ast.Attribute, value: ast.expr) -> bool:
    """Whether `owner.name = value` gives a buffer that its class registers another size every time."""
    return (
        isinstance(owner, kinds.Instance)
        and owner.module
        and _changes_size(target, value)
        and _is_registered(inspector, owner.cls, target.attr)
    )


def _changes_size(target: ast.Attribute, value: ast.expr) -> bool:
    """`cat([old, …])`, `old[1:]`, `pad(old, …)`; a window (`cat([old[n:], new])`) keeps its size."""
    match value:
        case ast.Call(
            func=ast.Name(id=called) | ast.Attribute(attr=called),
            args=[ast.List() | ast.Tuple() as parts, *_],
        ):
            return called in _JOINING and any(_is_same(part, target) for part in parts.elts)
        case ast.Call(
            func=ast.Name(id="pad") | ast.Attribute(attr="pad"),
            args=[old, ast.List() | ast.Tuple() as widths, *_],
        ):
            return _is_same(old, target) and any(_is_number(width) for width in widths.elts)
        case ast.Subscript(value=old, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            return _is_same(old, target) and (_is_number(lower) or _is_negative(upper))
        case _:
            return False


def _is_same(node: ast.expr, target: ast.Attribute) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == target.attr and ast.unparse(node) == ast.unparse(target)


def _is_number(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 0


def _is_negative(node: ast.expr | None) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and _is_number(node.operand)


def _is_registered(inspector: Inspector, cls: kinds.ProjectClass, name: str) -> bool:
    for base in classes.mro(inspector, cls):
        info = inspector.tree.class_(base.key) if isinstance(base, kinds.ProjectClass) else None
        for node in ast.walk(info.node) if info is not None else ():
            match node:
                case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=registered), *_]):
                    if registered == name:
                        return True
    return False
