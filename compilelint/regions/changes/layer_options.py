"""Options of layers, set for all modules of a model: `for m in net.modules(): … m.p = rate`, or by `net.apply`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.driving import Drive, drives, loops_around
from compilelint.regions.around.scopes import Scope, Statement, item_paths
from compilelint.regions.changes.between_calls import names_of_called, set_inside
from compilelint.regions.changes.effects import FEW
from compilelint.regions.changes.setters import Called, called_with
from compilelint.regions.changes.spelled import spelling, without_wrapper
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_MODULES = {"modules": (), "named_modules": (1,), "children": (), "named_children": (1,)}
"""Methods that go through the layers of a model, and where among what they give the layer is."""


class _Setting(Struct, frozen=True):
    """One option of all layers of a class."""

    model: ast.expr
    layers: tuple[ast.expr, ...]
    """The classes, as `isinstance` names them."""
    module: ModuleIndex
    """The file in which it does."""
    attr: str
    value: ast.expr
    node: ast.stmt


def _changed_options(scope: Scope) -> Iterator[Usage]:
    called = drives(scope)
    for statement in scope.statements if called else ():
        near = [drive for drive in called if _share_a_loop(statement, drive)]
        for setting in _settings(scope, statement) if near else ():
            changes = variation(scope, setting.value, loops_around(statement))
            if changes is None or (changes.values is not None and changes.values < FEW):
                continue
            if spelling(without_wrapper(setting.model)) in names_of_called(near):
                yield from _usage(scope, setting, changes)


def _share_a_loop(statement: Statement, drive: Drive) -> bool:
    """Whether the call happens each time that the layers are gone through."""
    around = loops_around(statement)
    return bool(around) and around[-1] in drive.loops


def _usage(scope: Scope, setting: _Setting, changes: Variation) -> Iterator[Usage]:
    """What it means for the first of the classes for which it means something."""
    for layer in _layers(scope, setting):
        construct = set_inside(scope, layer, setting.attr, changes)
        if construct is not None:
            yield Usage(construct, setting.node, receiver=layer)
            return


def _settings(scope: Scope, statement: Statement) -> Iterator[_Setting]:
    """What a loop sets, or one in a function that is called, or a function that is applied to each module."""
    match statement.node:
        case ast.For() as loop:
            yield from _set_in(loop, scope.module)
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=model, attr="apply"), args=[ast.Lambda() as function]))
            | ast.Assign(value=ast.Call(func=ast.Attribute(value=model, attr="apply"), args=[ast.Lambda() as function]))
        ):
            yield from _applied(scope, model, function, statement.node)
        case ast.Expr(value=ast.Call() as call):
            called = called_with(scope, call)
            if called is not None:
                yield from _set_by(scope, called, statement.node)


def _set_by(scope: Scope, called: Called, node: ast.stmt) -> Iterator[_Setting]:
    """What a function sets of the model that it is given, to what it is given."""
    module = scope.inspector.tree.module(called.function.key[0])
    for loop in walk(called.function.node):
        for setting in _set_in(loop, module) if isinstance(loop, ast.For) and module is not None else ():
            model, value = _given(setting.model, called), _given(setting.value, called)
            if model is not None and value is not None:
                yield replace(setting, model=model, value=value, node=node)


def _applied(scope: Scope, model: ast.expr, function: ast.Lambda, node: ast.stmt) -> Iterator[_Setting]:
    """What `model.apply(lambda m: set_momentum(m, momentum))` sets of each layer."""
    match function:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=layer)]), body=ast.Call(func=ast.Name()) as call):
            called = called_with(scope, call)
        case _:
            return
    module = scope.inspector.tree.module(called.function.key[0]) if called is not None else None
    if called is None or module is None or isinstance(called.function.node, ast.Lambda):
        return
    for name, argument in called.given.items():
        if name is not None and isinstance(argument, ast.Name) and argument.id == layer:
            for setting in _set_where(name, model, called.function.node.body, module):
                value = _given(setting.value, called)
                if value is not None and all(getattr(part, "id", "") != layer for part in walk(value)):
                    yield replace(setting, value=value, node=node)


def _given(node: ast.expr, called: Called) -> ast.expr | None:
    return called.given.get(node.id) if isinstance(node, ast.Name) else None


def _set_in(loop: ast.For, module: ModuleIndex) -> Iterator[_Setting]:
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=model, attr=method), args=[]) if method in _MODULES:
            variable = next((name for name, path in item_paths(loop.target) if path == _MODULES[method]), None)
        case _:
            return
    if variable is not None:
        yield from _set_where(variable, model, loop.body, module)


def _set_where(variable: str, model: ast.expr, body: list[ast.stmt], module: ModuleIndex) -> Iterator[_Setting]:
    """What statements set of a layer, where they ask for its class."""
    for statement in body:
        layers = _asked(statement.test, variable) if isinstance(statement, ast.If) else []
        if isinstance(statement, ast.If) and layers:
            for attr, value, node in _assigned(variable, statement.body):
                yield _Setting(model, tuple(layers), module, attr, value, node)


def _asked(test: ast.expr, variable: str) -> list[ast.expr]:
    """The classes for any of which a condition holds: `isinstance(m, A) or isinstance(m, B)`; none, if it asks more."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), layer]) if asked == variable:
            return layer.elts if isinstance(layer, ast.Tuple) else [layer]
        case ast.BoolOp(op=ast.Or(), values=values):
            each = [_asked(value, variable) for value in values]
            return [layer for layers in each for layer in layers] if all(each) else []
        case _:
            return []


def _assigned(name: str, body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr, ast.stmt]]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=value):
                if owner == name:
                    yield attr, value, node


def _layers(scope: Scope, setting: _Setting) -> Iterator[Kind]:
    """Layers of the classes that `isinstance` names."""
    for each in setting.layers:
        match scope.inspector.evaluate_globally(setting.module, each):
            case kinds.Reference(name=name) if name.startswith("torch.nn."):
                yield kinds.External(name)
            case kinds.ProjectClass() as cls:
                yield scope.inspector.instance(cls)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changed_options,)
