"""Backward hooks on modules that are compiled: Dynamo gives up the call of every module that has one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import External
from compilelint.regions.bypass import compiled_names, root_name
from compilelint.regions.queries import calls, text_of
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage

_BACKWARD_HOOKS = frozenset({"register_full_backward_hook", "register_full_backward_pre_hook"})


def _backward_hook(scope: Scope) -> Iterator[Usage]:
    """`model[0].register_full_backward_hook(f)` and `torch.compile(model)` in one scope, of an `nn.Sequential`.

    The `forward` of a class of one's own is compiled apart. Not one that is removed there, and not where compiled
    autograd, which takes such hooks, is switched on.
    """
    if "compiled_autograd" in text_of(scope):
        return
    pairs = list(compiled_names(scope))
    for node in calls(scope):
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _BACKWARD_HOOKS:
            continue
        path = node.func.value
        name = root_name(path)
        hooked = any(
            name == original or (name == compiled and not isinstance(path, ast.Name)) for compiled, original in pairs
        )
        if hooked and _is_sequential(scope, path) and not _is_removed(scope, node):
            yield Usage("backward-hook", node, receiver=kind_at(scope, path))


def _is_sequential(scope: Scope, path: ast.expr) -> bool:
    while isinstance(path, ast.Attribute | ast.Subscript):
        path = path.value
    kind = kind_at(scope, path)
    return isinstance(kind, External) and kind.cls == "torch.nn.Sequential"


def _is_removed(scope: Scope, call: ast.Call) -> bool:
    handles = {
        target.id
        for statement in scope.statements
        if isinstance(statement.node, ast.Assign) and statement.node.value is call
        for target in statement.node.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "remove"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in handles
        for node in calls(scope)
    )


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_backward_hook,)
