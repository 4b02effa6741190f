"""`module.compile()`: what it compiles, and where it compiles nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

MODULE_COMPILE = "torch.nn.Module.compile"


def in_place_target(scope: Scope, node: ast.expr) -> ast.expr | None:
    """What `module.compile(…)` compiles; None for all else, a `compile` of the project's own included."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"):
        return None
    receiver = kind_by_callers(scope, node.func.value)
    if not scope_kinds.is_module(receiver) or scope_kinds.is_compiled(receiver):
        return None
    if isinstance(receiver, kinds.Instance):
        if classes.find_method(scope.inspector, receiver.cls, "compile") is not None:
            return None
        if not _is_torch_module(scope, receiver):
            return None
    elif isinstance(receiver, kinds.External) and not receiver.cls.startswith("torch.nn."):
        return None
    return node.func.value


def _is_torch_module(scope: Scope, kind: kinds.Instance) -> bool:
    """An nn.Module through bases that do not bring a `compile` of their own along (Keras models do)."""
    outside = classes.external_bases(scope.inspector, kind.cls)
    return all(base.startswith("torch.nn.") or base in ("builtins.object", "abc.ABC") for base in outside)


def _result_used(scope: Scope) -> Iterator[Usage]:
    for statement in scope.statements:
        node = statement.node
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) and node.value is not None:
            target = in_place_target(scope, node.value)
            if target is not None:
                yield Usage("result-used", node.value, MODULE_COMPILE, kind_by_callers(scope, target))


def _torch_module(scope: Scope) -> Iterator[Usage]:
    for statement in scope.statements:
        for node in statement.expressions:
            target = in_place_target(scope, node)
            if target is not None and _runs_only_torch_code(scope, kind_by_callers(scope, target)):
                yield Usage("torch-module", node, MODULE_COMPILE, kind_by_callers(scope, target))


def _runs_only_torch_code(scope: Scope, kind: Kind) -> bool:
    match kind:
        case kinds.Instance(cls=cls):
            outside = classes.external_bases(scope.inspector, cls)
            return (
                classes.find_method(scope.inspector, cls, "forward") is None
                and bool(outside)
                and outside[0].startswith("torch.nn.")
                and outside[0] != "torch.nn.Module"
                and not outside[0].endswith((".Sequential", ".ModuleList"))
            ) or _is_plain_sequence(scope, cls)
        case kinds.External(cls="torch.nn.Sequential", args=layers):
            return bool(layers) and all(_runs_only_torch_code(scope, layer) for layer in layers)
        case kinds.External(cls=cls):
            return cls.startswith("torch.nn.") and not cls.startswith(("torch.nn.parallel.", "torch.nn.Module"))
        case kinds.Union(options=options):
            return all(_runs_only_torch_code(scope, option) for option in options)
        case _:
            return False


def _is_plain_sequence(scope: Scope, cls: kinds.ProjectClass) -> bool:
    """A subclass of nn.Sequential whose `super().__init__(…)` is given torch's own layers only."""
    outside = classes.external_bases(scope.inspector, cls)
    init = classes.find_method(scope.inspector, cls, "__init__")
    if outside[:1] != ("torch.nn.Sequential",) or init is None:
        return False
    if classes.find_method(scope.inspector, cls, "forward") is not None:
        return False
    module, function = scope.inspector.tree.module(init[0]), scope.inspector.tree.function(init)
    if module is None or function is None or isinstance(function.node, ast.Lambda):
        return False
    for part in walk(function.node):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"), args=args):
                layers = [scope.inspector.evaluate_globally(module, argument) for argument in args]
                return bool(layers) and all(
                    isinstance(layer, kinds.External) and _runs_only_torch_code(scope, layer) for layer in layers
                )
    return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_result_used, _torch_module)
