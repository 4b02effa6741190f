"""Buffers and parameters that are registered by name: `self.register_buffer("betas", betas)`, in whatever method."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import Kind
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, FunctionNode
from compilelint.source.watched import stores

Registration = tuple[str, ast.expr]
"""The name of the attribute, and what is registered under it."""


def as_registered(kind: Kind) -> Kind:
    """What an attribute holds after this was registered: a tensor, whatever is known of it, or None."""
    if kind == kinds.NONE:
        return kind
    tensor = kinds.tensor_part(kind) or kinds.Tensor()
    return kinds.Tensor(tensor.dtype, tensor.ndim, parameter=True, sparse=tensor.sparse)


def registrations(function: FunctionInfo) -> Iterator[Registration]:
    """What a method registers on `self` under names that it spells."""
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return
    first = first_parameter(function.node)
    for statement in flat_statements(function.node.body):
        match statement:
            case ast.Expr(value=ast.Call() as call) if _is_of(call.func, first):
                match call.args:
                    case [ast.Constant(value=str(name)), value, *_]:
                        yield name, value


def by_local_functions(function: FunctionInfo) -> Iterator[Registration]:
    """What a method registers through a function of its own: `register = lambda name, value:
    self.register_buffer(name, value.float())`, and then `register("betas", betas)`."""
    if isinstance(function.node, ast.Lambda):
        return
    first, statements = first_parameter(function.node), list(flat_statements(function.node.body))
    local = {name for name, node in _local_functions(statements) if _registers_under_its_parameter(node, first)}
    for statement in statements if local else ():
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Name(id=called), args=[ast.Constant(value=str(name)), value, *_])
            ) if called in local:
                yield name, value


def _local_functions(statements: Sequence[ast.stmt]) -> Iterator[tuple[str, FunctionNode]]:
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name):
                yield name, statement
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                yield name, function


def _registers_under_its_parameter(node: FunctionNode, first: str | None) -> bool:
    """Whether a function registers what it is given under the name that it is given."""
    body = [node.body] if isinstance(node, ast.Lambda) else [s.value for s in node.body if isinstance(s, ast.Expr)]
    name = first_parameter(node)
    return any(
        isinstance(call, ast.Call)
        and _is_of(call.func, first)
        and isinstance(call.args[0] if call.args else None, ast.Name)
        and ast.unparse(call.args[0]) == name
        for call in body
    )


def _is_of(node: ast.expr, first: str | None) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=receiver), attr="register_buffer" | "register_parameter"):
            return receiver == first
        case _:
            return False
