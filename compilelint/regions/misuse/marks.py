"""Sizes that are marked as dynamic on a tensor that does not reach the compiled function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Reference
from compilelint.regions.around import scopes
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_MARKS = (
    "torch._dynamo.mark_dynamic",
    "torch._dynamo.maybe_mark_dynamic",
    "torch._dynamo.decorators.mark_dynamic",
    "torch._dynamo.decorators.maybe_mark_dynamic",
    "torch._dynamo.decorators.mark_unbacked",
)
_COPIES = frozenset({"clone", "detach", "half", "float", "double", "bfloat16", "cuda", "to"})
"""Methods that give another tensor."""


def _mark_lost(scope: Scope) -> Iterator[Usage]:
    """`mark_dynamic(x, 0)` and then `x = x.to(device)`: the new tensor has no mark."""
    for statement, call in scope.calls:
        name = _marked(scope, call)
        if name is None:
            continue
        after = scopes.end_of(statement.node)
        following = [
            other
            for other in scope.statements
            if scopes.start_of(other.node) >= after and other.ancestors == statement.ancestors
        ]
        for other in following:
            if _copies(other.node, name):
                yield Usage("mark-lost", call, "torch._dynamo.mark_dynamic")
                break
            if any(isinstance(part, ast.Name) and part.id == name for part in walk(other.node)) and not (
                _is_mark(scope, other.node)
            ):
                break


def _marked(scope: Scope, call: ast.Call) -> str | None:
    kind = kind_at(scope, call.func)
    if isinstance(kind, Reference) and kind.name in _MARKS and call.args and isinstance(call.args[0], ast.Name):
        return call.args[0].id
    return None


def _is_mark(scope: Scope, node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _marked(scope, node.value) is not None


def _copies(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.Assign(
            targets=[ast.Name(id=target)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=source), attr=attr)),
        ):
            return target == source == name and attr in _COPIES
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_mark_lost,)
