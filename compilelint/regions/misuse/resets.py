"""Calls that throw away all compiled code, in the loop that runs it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Reference
from compilelint.regions.around import scopes
from compilelint.regions.around.driving import drives
from compilelint.regions.around.queries import loops_around
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage

_RESETS = {
    "torch._dynamo.reset": "reset-in-loop",
    "torch.compiler.reset": "reset-in-loop",
    "torch._dynamo.reset_code_caches": "reset-in-loop",
    "torch._dynamo.explain": "explain-in-loop",
}


def _reset_in_loop(scope: Scope) -> Iterator[Usage]:
    """`torch._dynamo.reset()` in a loop that also calls what was compiled before the loop."""
    for statement, call in scope.calls:
        loops = loops_around(statement)
        kind = kind_at(scope, call.func) if loops else None
        if not isinstance(kind, Reference) or kind.name not in _RESETS:
            continue
        if any(isinstance(ancestor, ast.If) for ancestor in statement.ancestors):
            continue
        if any(
            loops[-1] in drive.loops and _is_made_before(scope, drive.call.func, loops[-1]) for drive in drives(scope)
        ):
            yield Usage(_RESETS[kind.name], call, kind.name)


def _is_made_before(scope: Scope, called: ast.expr, loop: ast.For | ast.While) -> bool:
    """Whether what is called is the same in each iteration: what the loop compiles anew no reset takes away."""
    match called:
        case ast.Name(id=name):
            bounds = scope.bindings.get(name, [])
        case ast.Attribute(attr=attr):
            bounds = [bound for _, bound in scope.held.get(attr, [])]
        case _:
            return False
    return not any(scopes.start_of(loop) < bound.since <= scopes.end_of(loop) for bound in bounds)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_reset_in_loop,)
