"""Calls of operators that a program defines by `torch.library.custom_op`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import calls, kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calls import Call

_REGISTER_FAKE = frozenset({"register_fake", "impl_abstract"})
_ANY_SIZE = frozenset({"new_dynamic_size", "create_unbacked_symint"})
"""Methods of `torch.library.get_ctx()`: a size that only the data tells."""


def call_custom_op(frame: Frame, call: Call) -> Kind:
    """Dynamo does not look into a custom operator; it asks the fake implementation what comes out."""
    op = call.args[0]
    module = frame.inspector.tree.module(op.key[0]) if isinstance(op, kinds.Function) else None
    info = frame.inspector.tree.function(op.key) if isinstance(op, kinds.Function) else None
    construct = _construct(module, info) if module is not None and info is not None else ""
    frame.emit("call", call.node, callee="torch.library.custom_op.__call__", construct=construct, args=call.args[1:])
    with frame.inspector.silently():
        return calls.call_kind(frame, op, call.after(1))


def _construct(module: ModuleIndex, info: FunctionInfo) -> str:
    if _returns_something(info.node) and not _registers_fakes(module):
        return "no-fake"
    return "any-size" if any(map(_makes_any_size, _fakes(module, info))) else ""


def _registers_fakes(module: ModuleIndex) -> bool:
    """Whether a file gives operators fake implementations; which ones is not looked at."""
    return any(isinstance(node, ast.Attribute) and node.attr in _REGISTER_FAKE for node in walk(module.tree))


def _fakes(module: ModuleIndex, info: FunctionInfo) -> list[ast.AST]:
    """The functions under `@operator.register_fake`, for this operator."""
    return [
        each.node
        for each in module.functions.values()
        for decorator in each.decorators
        if isinstance(decorator, ast.Attribute)
        and decorator.attr in _REGISTER_FAKE
        and isinstance(decorator.value, ast.Name)
        and decorator.value.id == info.qualname
    ]


def _makes_any_size(fake: ast.AST) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _ANY_SIZE for node in walk(fake))


def _returns_something(node: ast.AST) -> bool:
    """Whether an operator is declared to return anything: one that only writes to its arguments needs no fake."""
    return not (
        isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Constant) and node.returns.value is None
    )
