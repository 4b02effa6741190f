"""Optimizers that a class keeps, `self.opt = torch.optim.AdamW(…)`, and whose `step` it compiles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import path_of
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds
from compilelint.regions.around.scopes import Scope
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk
from compilelint.source.watched import says

OPTIMIZERS = "torch.optim."
SCHEDULERS = "torch.optim.lr_scheduler."
MAKERS = re.compile(r"get_(?!constant_schedule$)(\w+_)?schedule\w*|create_scheduler\w*|\w+LR(Scheduler)?")
"""What other packages call what makes a scheduler: transformers, diffusers and timm."""


def with_scheduled_rates(scope: Scope) -> Iterator[ast.expr]:
    """Where a method compiles the `step` of an optimizer that its class keeps, or a method that calls it, and the class
    changes its learning rate, which is a float."""
    if scope.owner is None or scope.self_name is None:
        return
    methods: list[FunctionInfo] | None = None
    for statement in scope.statements:
        for node in statement.expressions:
            compiled = scope_kinds.compile_target(scope, node)
            path = path_of(compiled) if isinstance(compiled, ast.Attribute) else None
            if path is None or not path.startswith(f"{scope.self_name}."):
                continue
            if methods is None:
                methods = list(classes.methods(scope.inspector, scope.owner.cls))
            names = path.split(".")[1:]
            if any(_is_scheduled(scope, methods, each) for each in _stepped(names, methods)):
                yield node


def _stepped(names: list[str], methods: list[FunctionInfo]) -> list[str]:
    """The attributes of `self` that hold the optimizers of which this moves one on: `opt.step`, or a method."""
    match names:
        case [optimizer, "step"]:
            return [optimizer]
        case [method]:
            nodes = [info.node for info in methods if info.qualname.rpartition(".")[2] == method]
            return [name for node in nodes[:1] for name in _stepped_in(node)]
        case _:
            return []


def _stepped_in(function: ast.AST) -> Iterator[str]:
    for node in walk(function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=ast.Name(), attr=optimizer), attr="step"), args=[]
            ):
                yield optimizer


def _is_scheduled(scope: Scope, methods: list[FunctionInfo], optimizer: str) -> bool:
    """Whether the methods of a class make this optimizer with a rate that is a float, and change the rate."""
    naming = [
        info
        for info in methods
        if (module := scope.inspector.tree.module(info.key[0])) is not None and says(info.node, module.lines, optimizer)
    ]
    made = [each for info in naming for each in _made_with(scope, info, optimizer)]
    return bool(made) and all(made) and any(_changes_rate(scope, info, optimizer) for info in naming)


def _made_with(scope: Scope, info: FunctionInfo, optimizer: str) -> Iterator[bool]:
    """For each time that a method makes the optimizer, whether its rate is a float, as far as this is seen."""
    path = f"{first_parameter(info.node)}.{optimizer}"
    for node in walk(info.node):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=value) if path_of(target) == path:
                is_made = isinstance(value, ast.Call) and _name(scope, info, value.func).startswith(OPTIMIZERS)
                yield is_made and isinstance(value, ast.Call) and _has_float_rate(info, value)


def _has_float_rate(info: FunctionInfo, made: ast.Call) -> bool:
    given = [keyword.value for keyword in made.keywords if keyword.arg == "lr"] or made.args[1:2]
    if any(keyword.arg is None for keyword in made.keywords) and not given:
        return False
    rates = given
    if given and isinstance(given[0], ast.Name):
        rates = [given[0], *_bound(info, given[0].id)]
    return not any(isinstance(rate, ast.Call) and not _is_float(rate) for rate in rates)


def _bound(info: FunctionInfo, name: str) -> Iterator[ast.expr]:
    for node in walk(info.node):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value


def _is_float(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "float"


def _changes_rate(scope: Scope, info: FunctionInfo, optimizer: str) -> bool:
    path = f"{first_parameter(info.node)}.{optimizer}"
    groups = f"{path}.param_groups"
    loops = {
        node.target.id
        for node in walk(info.node)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and groups == path_of(node.iter)
    }
    for node in walk(info.node):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=ast.Constant(value="lr"))], value=value) if (
                not isinstance(value, ast.Constant)
            ):
                group = owner.value if isinstance(owner, ast.Subscript) else owner
                if (isinstance(group, ast.Name) and group.id in loops) or path_of(group) == groups:
                    return True
            case ast.Call(func=func, args=args, keywords=keywords):
                given = (*args, *(keyword.value for keyword in keywords))
                if any(path_of(each) == path for each in given) and _makes_scheduler(_name(scope, info, func)):
                    return True
    return False


def _makes_scheduler(name: str) -> bool:
    return name.startswith(SCHEDULERS) or ("." in name and MAKERS.fullmatch(name.rpartition(".")[2]) is not None)


def _name(scope: Scope, info: FunctionInfo, func: ast.expr) -> str:
    """The dotted name of what a method calls, where it comes from outside of the project."""
    module = scope.inspector.tree.module(info.key[0])
    kind = scope.inspector.evaluate_globally(module, func) if module is not None else kinds.UNKNOWN
    return kind.name if isinstance(kind, kinds.Reference) else ""
