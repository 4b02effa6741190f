"""Transforms of `torch.func` around something compiled: what they call runs uncompiled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around.driving import compiled_callable
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_TRANSFORMS = frozenset(
    {"torch.vmap"}
    | {f"torch.func.{name}" for name in ("vmap", "grad", "grad_and_value", "jacrev", "jacfwd", "hessian", "vjp", "jvp")}
)
"""Transforms under which Dynamo compiles nothing (torch 2.13: no frame for each); `functional_call` is none of them."""


def _under_transform(scope: Scope) -> Iterator[Usage]:
    """`torch.vmap(compiled)`, `torch.func.grad(lambda t: compiled(t).sum())`."""
    for _, call in scope.calls:
        callee = kind_at(scope, call.func) if call.args else None
        if isinstance(callee, kinds.Reference) and callee.name in _TRANSFORMS and _is_compiled(scope, call.args[0]):
            yield Usage("under-transform", call, callee.name)


def _is_compiled(scope: Scope, function: ast.expr) -> bool:
    """Whether a function is compiled, or is a lambda that calls something compiled."""
    if isinstance(function, ast.Lambda):
        return any(_is_given_up(scope, part.func) for part in walk(function.body) if isinstance(part, ast.Call))
    return _is_given_up(scope, function)


def _is_given_up(scope: Scope, callee: ast.expr) -> bool:
    """Whether Dynamo compiles it, but for the backend that it lets through there."""
    compiled = compiled_callable(scope, callee)
    backend = compiled.options.get("backend") if compiled is not None else None
    return compiled is not None and not (isinstance(backend, ast.Constant) and backend.value == "eager")


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_under_transform,)
