"""Backward hooks on modules that are compiled: Dynamo gives up the call of every module that has one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import UNKNOWN, External
from compilelint.regions.around.queries import calls, text_of
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Bound, Scope, binding_at, start_of
from compilelint.regions.misuse.bypass import compiled_names
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

_BACKWARD_HOOKS = frozenset({"register_full_backward_hook", "register_full_backward_pre_hook"})
_PARTS = frozenset({"modules", "named_modules", "children", "named_children"})


def _backward_hook(scope: Scope) -> Iterator[Usage]:
    """`model[0].register_full_backward_hook(f)` and `torch.compile(model)` in one scope.

    An `nn.Sequential` with one, itself or a part of it, is not compiled at all; of another model the graph breaks where
    a part with one is called. Not one that is removed there, and not where compiled autograd, which takes such hooks,
    is switched on.
    """
    if "compiled_autograd" in text_of(scope):
        return
    pairs = list(compiled_names(scope))
    models = frozenset(name for pair in pairs for name in pair)
    for node in calls(scope):
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _BACKWARD_HOOKS:
            continue
        model, is_part = _whole(scope, node.func.value, models)
        if model is None or not (is_part or any(model.id == original for _, original in pairs)):
            continue
        kind, hooked = kind_at(scope, model), kind_at(scope, node.func.value)
        if _is_removed(scope, node):
            continue
        if isinstance(kind, External) and kind.cls == "torch.nn.Sequential":
            yield Usage("backward-hook", node, receiver=hooked)
        elif is_part:
            sure = Confidence.MEDIUM if kind == UNKNOWN else Confidence.HIGH
            yield Usage("backward-hook-on-part", node, receiver=hooked, confidence=sure)


def _whole(scope: Scope, part: ast.expr, models: frozenset[str], steps: int = 4) -> tuple[ast.Name | None, bool]:
    """Which of these models a module is, or is a part of, and whether it is a part: `model.layer4[-1]`, a name that was
    given it, and each of `model.modules()`."""
    whole = part
    while isinstance(whole, ast.Attribute | ast.Subscript):
        whole = whole.value
    if not isinstance(whole, ast.Name):
        return None, False
    if whole.id in models:
        return whole, whole is not part
    found = binding_at(scope, whole.id, start_of(whole)) if steps else None
    match found[1] if found is not None else None:
        case Bound(value=ast.Call(func=ast.Attribute(value=model, attr=name)), iterated=tuple()) if name in _PARTS:
            return _whole(scope, model, models, steps - 1)[0], True
        case Bound(value=ast.Attribute() | ast.Subscript() as value, iterated=None):
            return _whole(scope, value, models, steps - 1)[0], True
        case _:
            return None, False


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
