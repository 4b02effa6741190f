"""Calls of operators that a program defines by `torch.library.custom_op`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.calling import calls
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

_REGISTER_FAKE = frozenset({"register_fake", "impl_abstract"})
_ANY_SIZE = frozenset({"new_dynamic_size", "create_unbacked_symint"})
"""Methods of `torch.library.get_ctx()`: a size that only the data tells."""
_RETURNS_ARGUMENT = frozenset({"inplace", "out"})
"""Tags of operators that return what they write to, `torch.Tag.inplace`: torch knows then what comes out."""


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
    if _returns_something(info.node) and not _returns_argument(info) and not _registers_fake(module, info):
        return "no-fake"
    return "any-size" if any(map(_makes_any_size, _fakes(module, info))) else ""


def _registers_fake(module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether a file gives this operator a fake implementation, or one that may be of any."""
    own = {info.qualname, *(_first_text(each) for each in info.decorators if isinstance(each, ast.Call))}
    return any(each in own or each == "" for each in _faked(module))


def _faked(module: ModuleIndex) -> Iterator[str]:
    """The operators that a file gives fake implementations, by name or by the function; empty for what it computes."""
    nodes = tuple(walk(module.tree))
    functions = {each.qualname for each in module.functions.values()}
    given = {id(each.func): _first_text(each) for each in nodes if isinstance(each, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in _REGISTER_FAKE:
            yield given.get(id(node), "")
        elif isinstance(node, ast.Attribute) and node.attr in _REGISTER_FAKE:
            operator = node.value.id if isinstance(node.value, ast.Name) else ""
            yield operator if operator in functions else given.get(id(node), "")


def _first_text(call: ast.Call) -> str:
    """A call's first argument, if it is a text that is written there."""
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


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


def _returns_argument(info: FunctionInfo) -> bool:
    tags = [
        keyword.value
        for each in info.decorators
        if isinstance(each, ast.Call)
        for keyword in each.keywords
        if keyword.arg == "tags"
    ]
    return any(
        isinstance(node, ast.Attribute) and node.attr in _RETURNS_ARGUMENT for each in tags for node in walk(each)
    )
