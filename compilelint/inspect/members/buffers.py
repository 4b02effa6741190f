"""Registered buffers that are replaced by a longer or shorter one made from themselves, and objects of `nn.Buffer`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_BUFFER_CLASS = kinds.Reference("torch.nn.Buffer")
_GIVE_BACK = frozenset(
    {"to", "type", "type_as", "float", "double", "half", "bfloat16", "int", "long", "bool", "cuda", "cpu", "contiguous"}
)
"""Methods that return the tensor itself if it is already what they make of it."""
_JOINING = frozenset({"cat", "concat", "concatenate", "hstack", "vstack"})


def resizes_buffer(inspector: Inspector, owner: Kind, target: ast.Attribute, value: ast.expr) -> bool:
    """Whether `owner.name = value` gives a buffer that its class registers another size every time."""
    return (
        isinstance(owner, kinds.Instance)
        and owner.module
        and _changes_size(target, value)
        and _is_registered(inspector, owner.cls, target.attr)
    )


def sets_buffer_object(inspector: Inspector, owner: Kind, value: ast.expr, conditions: Sequence[ast.expr]) -> bool:
    """Whether `owner.name = value` assigns an `nn.Buffer`: a new one, or what `self.b = nn.Buffer(…)` made one.

    A conversion under a condition that asks the buffer (`if self.b.device != x.device:`) is for the rare case that
    it is not what it should be: mostly the assignment is not in the graph.
    """
    if not isinstance(owner, kinds.Instance) or not owner.module:
        return False
    match value:
        case ast.Call(func=func) if _is_buffer_class(inspector, owner.cls.key[0], func):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(), attr=name), attr=method)):
            is_asked = any(_mentions(condition, name) for condition in conditions)
            return method in _GIVE_BACK and not is_asked and is_buffer_object(inspector, owner, name)
        case _:
            return False


def is_buffer_object(inspector: Inspector, owner: Kind, name: str) -> bool:
    """Whether an attribute of a module is made by `self.name = nn.Buffer(…)`."""
    if not isinstance(owner, kinds.Instance) or not owner.module:
        return False
    return any(
        isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Attribute) and target.attr == name for target in node.targets)
        and isinstance(node.value, ast.Call)
        and _is_buffer_class(inspector, info.key[0], node.value.func)
        for info in classes.infos(inspector, owner.cls)
        for node in walk(info.node)
    )


def _mentions(condition: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == name for part in walk(condition))


def _is_buffer_class(inspector: Inspector, file: str, node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="Buffer") | ast.Name(id="Buffer"):
            module = inspector.tree.module(file)
            return module is not None and inspector.evaluate_globally(module, node) == _BUFFER_CLASS
        case _:
            return False


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
    for info in classes.infos(inspector, cls):
        for node in walk(info.node):
            match node:
                case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=registered), *_]):
                    if registered == name:
                        return True
    return False
