"""Classes that stand with their type arguments: Dynamo makes nothing of `Box[Tensor]`, and does not call `list[int]`.

In annotations nothing of this is run; there it is free.
"""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.members import classes
from compilelint.inspect.names import is_global
from compilelint.source.model import Assignment

OF_GENERIC = "typing.Generic.__class_getitem__"
OF_BUILTIN = "types.GenericAlias.__call__"
_GENERIC = frozenset({"typing.Generic", "typing.Protocol", "typing_extensions.Protocol"})
_BUILTIN = frozenset(f"builtins.{name}" for name in ("list", "dict", "set", "frozenset", "tuple"))
_MODULES = ("collections.", "typing.")


def is_generic(frame: Frame, cls: kinds.ProjectClass) -> bool:
    """Whether what `Box[Tensor]` gives comes from `Generic`, and not from a method or a metaclass of its own."""
    if not _GENERIC.isdisjoint(classes.external_bases(frame.inspector, cls)):
        return True
    info = frame.inspector.tree.class_(cls.key)
    return info is not None and bool(getattr(info.node, "type_params", ()))


def report_subscript(frame: Frame, node: ast.Subscript, cls: kinds.ProjectClass) -> None:
    """`Box[Tensor]`, whatever is done with it."""
    if is_generic(frame, cls):
        frame.emit("call", node, callee=OF_GENERIC)


def report_called(frame: Frame, node: ast.Call) -> None:
    """`list[Tensor]()`, `deque[Tensor](maxlen=2)`, `Tensors()` of `Tensors = list[Tensor]`."""
    match node.func:
        case ast.Subscript(value=value):
            kind = frame.inspector.peek(frame, value)
            is_called = _is_builtin(frame, kind)
        case ast.Name(id=name) if (alias := _alias(frame, name)) is not None:
            kind = frame.inspector.evaluate_globally(frame.module, alias.value)
            is_called = _is_builtin(frame, kind) or (isinstance(kind, kinds.ProjectClass) and is_generic(frame, kind))
        case _:
            return
    if is_called:
        frame.emit("call", node, callee=OF_BUILTIN)


def _is_builtin(frame: Frame, cls: kinds.Kind) -> bool:
    """Whether it is one of Python's own classes, or below one, which is no `Generic` besides."""
    match cls:
        case kinds.Reference(name=name):
            return name in _BUILTIN or name.startswith(_MODULES)
        case kinds.ProjectClass() if not is_generic(frame, cls):
            return not _BUILTIN.isdisjoint(classes.external_bases(frame.inspector, cls))
        case _:
            return False


def _alias(frame: Frame, name: str) -> ast.Subscript | None:
    """What a global stands for, if it is nothing but `Box[Tensor]`."""
    match frame.module.bindings.get(name):
        case [Assignment(value=ast.Subscript() as value, path=())] if is_global(frame, name):
            return value
        case _:
            return None
