"""Calls that throw away all compiled code, in the loop that runs it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Reference
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.queries import loops_around
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

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
        loop = loops[-1]
        compiled = _compiled_names(scope)
        if any(_calls(loop, name) for name, since in compiled.items() if since < scopes.start_of(loop)):
            yield Usage(_RESETS[kind.name], call, kind.name)


def _compiled_names(scope: Scope) -> dict[str, scopes.Position]:
    """The names of what the scope and the scopes around it compile, by assignment or by decorator."""
    found: dict[str, scopes.Position] = {}
    here: Scope | None = scope
    while here is not None:
        for statement in here.statements:
            since = scopes.end_of(statement.node) if here is scope else (0, 0)
            match statement.node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if scope_kinds.compile_target(here, value) is not None:
                        found.setdefault(name, since)
                case ast.FunctionDef(name=name, decorator_list=decorators):
                    if any(_compiles(here, decorator) for decorator in decorators):
                        found.setdefault(name, since)
        here = here.parent
    return found


def _compiles(scope: Scope, decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return scope_kinds.is_reference(scope, called, "torch.compile")


def _calls(loop: ast.For | ast.While, name: str) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for part in loop.body
        for node in walk(part)
    )


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_reset_in_loop,)
