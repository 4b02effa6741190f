"""Copies of modules that were compiled in place: what was compiled does not come along, or comes along wrongly."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import calls, compiled_in_place
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_COPIES = ("copy.deepcopy", "copy.copy", "torch.optim.swa_utils.AveragedModel")
"""What gives a module of its own from a module."""


def _copy_of_compiled(scope: Scope) -> Iterator[Usage]:
    """`model.compile()`, or `model.forward = torch.compile(model.forward)`, and then `copy.deepcopy(model)`."""
    in_place, by_forward = compiled_in_place(scope), _compiled_by_forward(scope)
    if not in_place and not by_forward:
        return
    for call in calls(scope):
        copied = _copied(scope, call)
        if copied is None:
            continue
        path, here, kind = ast.unparse(copied), scopes.start_of(call), kind_at(scope, copied)
        if path in in_place and in_place[path] < here and not _compiled_again(scope, call):
            yield Usage("copy-of-in-place-compiled", call, receiver=kind)
        if path in by_forward and by_forward[path] < here:
            yield Usage("copy-of-compiled-forward", call, receiver=kind)


def _copied(scope: Scope, call: ast.Call) -> ast.expr | None:
    if not call.args or not any(scope_kinds.is_reference(scope, call.func, name) for name in _COPIES):
        return None
    return call.args[0]


def _compiled_by_forward(scope: Scope) -> dict[str, scopes.Position]:
    """The modules whose `forward` this scope replaces by a compiled one, and since where."""
    found: dict[str, scopes.Position] = {}
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=attr) as target], value=value):
                compiled = scope_kinds.compile_target(scope, value)
                if compiled is not None and attr == "forward" and ast.unparse(compiled) == ast.unparse(target):
                    found.setdefault(ast.unparse(owner), scopes.end_of(statement.node))
    return found


def _compiled_again(scope: Scope, call: ast.Call) -> bool:
    """Whether the copy gets a name, and something of that name is then compiled, in place or not."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[target], value=value) if any(part is call for part in walk(value)):
                name = ast.unparse(target)
                return any(_compiles(scope, other, name) for other in calls(scope))
    return False


def _compiles(scope: Scope, call: ast.Call, name: str) -> bool:
    compiled = scope_kinds.compile_target(scope, call)
    if compiled is not None:
        return ast.unparse(compiled) == name
    return isinstance(call.func, ast.Attribute) and call.func.attr == "compile" and ast.unparse(call.func.value) == name


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_copy_of_compiled,)
