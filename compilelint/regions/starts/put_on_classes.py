"""Functions that a file puts in place of a module's `forward`: what their `self` is, `Net.forward = cached_forward`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.items import MODULE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members.handed_to_models import unbound
from compilelint.inspect.members.numbers_from_outside import numbers
from compilelint.inspect.starting import Accepts
from compilelint.regions.around.scopes import scopes
from compilelint.source.model import FunctionInfo, ModuleIndex


def as_forward(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> Accepts:
    """What the first parameter of a function of a file takes that the file puts in place of a `forward`."""
    if info.owner is not None or isinstance(info.node, ast.Lambda) or not info.node.args.args:
        return ()
    own = info.node.args.args[0].arg
    if own != "self":
        return ()
    models = list(_put_on(inspector, module, info.node.name))
    return with_numbers(inspector, module, own, models[0]) if models else ()


def with_numbers(inspector: Inspector, module: ModuleIndex, own: str, model: Kind) -> Accepts:
    """A parameter that takes a model, with the numbers that the file sets on such."""
    known = numbers(inspector, module)
    return ((own, model), *((f"{own}.{name}", kind) for name, kind in sorted(known.items())))


def _put_on(inspector: Inspector, module: ModuleIndex, name: str) -> Iterator[Kind]:
    for scope in scopes(inspector, module, saying=".forward = "):
        for statement in scope.statements:
            match statement.node:
                case ast.Assign(targets=[ast.Attribute(value=owner, attr="forward")], value=value):
                    put = unbound(value) or value
                    if isinstance(put, ast.Name) and put.id == name:
                        yield _model(inspector, module, owner)


def _model(inspector: Inspector, module: ModuleIndex, owner: ast.expr) -> Kind:
    cls = inspector.evaluate_globally(module, owner)
    instance = inspector.instance(cls) if isinstance(cls, kinds.ProjectClass) else None
    return instance if instance is not None and instance.module else MODULE
