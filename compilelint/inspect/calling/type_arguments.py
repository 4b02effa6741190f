"""Classes that stand with their type arguments: Dynamo makes nothing of `Box[Tensor]`, and does not call `list[int]`.

In annotations nothing of this is run; there it is free.
"""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.members import classes

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
    """`list[Tensor]()`, `deque[Tensor](maxlen=2)`."""
    if not isinstance(node.func, ast.Subscript):
        return
    match frame.inspector.peek(frame, node.func.value):
        case kinds.Reference(name=name) if name in _BUILTIN or name.startswith(_MODULES):
            frame.emit("call", node, callee=OF_BUILTIN)
        case kinds.ProjectClass() as cls if not is_generic(frame, cls):
            if not _BUILTIN.isdisjoint(classes.external_bases(frame.inspector, cls)):
                frame.emit("call", node, callee=OF_BUILTIN)
