"""flex_attention where nothing compiles it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.regions import scope_kinds, scopes
from compilelint.regions.queries import calls
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage

FLEX_ATTENTION = "torch.nn.attention.flex_attention.flex_attention"


def _uncompiled(scope: Scope) -> Iterator[Usage]:
    """`flex_attention(…)` in a script's own statements: code in functions may be compiled by whoever calls it."""
    if not isinstance(scope.node, ast.Module):
        return
    for call in calls(scope):
        if scope_kinds.is_reference(scope, call.func, FLEX_ATTENTION) and not _is_compiled_name(scope, call):
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


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_uncompiled,)
