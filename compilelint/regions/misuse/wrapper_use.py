"""The object that torch.compile returns, used as if it were the module itself: indexed, iterated, compiled again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage

_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")


def _used_as_container(scope: Scope) -> Iterator[Usage]:
    """`compiled[0]`, `for layer in compiled`, `len(compiled)`, of a compiled nn.Sequential."""
    for statement in scope.statements:
        if isinstance(statement.node, ast.For) and _is_compiled_container(scope, statement.node.iter):
            yield Usage("container-use", statement.node.iter, receiver=kind_at(scope, statement.node.iter))
        for node in statement.expressions:
            match node:
                case ast.Subscript(value=value) if _is_compiled_container(scope, value):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))
                case ast.Call(func=ast.Name(id="list" | "tuple" | "enumerate" | "reversed"), args=[value]) if (
                    _is_compiled_container(scope, value)
                ):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))
                case ast.Call(func=ast.Name(id="len"), args=[value]) if _is_compiled_container(scope, value):
                    yield Usage("container-length", node, receiver=kind_at(scope, value))
                case ast.Starred(value=value) if _is_compiled_container(scope, value):
                    yield Usage("container-use", node, receiver=kind_at(scope, value))


def _is_compiled_container(scope: Scope, node: ast.expr) -> bool:
    """Whether this is the wrapper around one of torch's own containers; only names and attributes are looked at."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    match kind_at(scope, node):
        case kinds.External(args=(kinds.External(cls=inner), *_)) as kind:
            return scope_kinds.is_compiled(kind) and inner in _CONTAINERS
        case _:
            return False


def _compiled_twice(scope: Scope) -> Iterator[Usage]:
    """`torch.compile(compiled)`: what comes back is a function, no module any more."""
    for statement in scope.statements:
        for node in statement.expressions:
            target = scope_kinds.compile_target(scope, node)
            if target is not None and _is_compiled_module(scope, target):
                yield Usage("compiled-twice", node, "torch.compile", kind_at(scope, target))


def _is_compiled_module(scope: Scope, node: ast.expr) -> bool:
    match kind_at(scope, node):
        case kinds.External(args=(inner, *_)) as kind:
            return scope_kinds.is_compiled(kind) and scope_kinds.is_module(inner)
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_used_as_container, _compiled_twice)
