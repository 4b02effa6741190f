"""flex_attention where nothing compiles it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import calls
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.model import Import

FLEX_ATTENTION = "torch.nn.attention.flex_attention.flex_attention"


def _uncompiled(scope: Scope) -> Iterator[Usage]:
    """`flex_attention(…)` in a script's own statements: code in functions may be compiled by whoever calls it."""
    if not isinstance(scope.node, ast.Module):
        return
    for call in calls(scope):
        if scope_kinds.is_reference(scope, call.func, FLEX_ATTENTION) and not (
            _is_compiled_name(scope, call) or _is_of_project(scope, call.func)
        ):
            yield Usage("flex-uncompiled", call, FLEX_ATTENTION)


def _is_compiled_name(scope: Scope, call: ast.Call) -> bool:
    """Whether the name that is called was given what torch.compile returned: `flex = torch.compile(flex_attention)`."""
    if not isinstance(call.func, ast.Name):
        return False
    found = scopes.binding_at(scope, call.func.id, scopes.start_of(call))
    return (
        found is not None
        and found[1].value is not None
        and (scope_kinds.compile_target(found[0], found[1].value) is not None)
    )


def _is_of_project(scope: Scope, node: ast.expr) -> bool:
    """Whether it is taken from another file of the project, which may have compiled it: `from layers import flex`."""
    match node:
        case ast.Attribute(value=value):
            return isinstance(scope_kinds.kind_at(scope, value), kinds.ProjectModule)
        case ast.Name(id=name):
            bound = scope.module.bindings.get(name, ())
            return any(isinstance(each, Import) and not each.target.startswith("torch.") for each in bound)
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_uncompiled,)
