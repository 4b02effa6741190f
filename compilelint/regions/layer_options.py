"""Options of layers that a loop through the modules of a model sets: `for m in net.modules(): … m.p = rate`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.arguments import FEW
from compilelint.regions.between_calls import names_of_called, set_inside
from compilelint.regions.driving import Drive, drives, loops_around
from compilelint.regions.scopes import Scope, Statement, item_paths
from compilelint.regions.setters import Called, called_with
from compilelint.regions.usage import Usage
from compilelint.regions.varying import Variation, variation
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_MODULES = {"modules": (), "named_modules": (1,), "children": (), "named_children": (1,)}
"""Methods that go through the layers of a model, and where among what they give the layer is."""


class _Setting(Struct, frozen=True):
    """One option of all layers of a class."""

    model: ast.expr
    layer: ast.expr
    """The class, as `isinstance` names it."""
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
            if isinstance(setting.model, ast.Name) and setting.model.id in names_of_called(near):
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
    """What a loop sets, or one in a function that is called."""
    match statement.node:
        case ast.For() as loop:
            yield from _set_in(loop, scope.module)
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


def _given(node: ast.expr, called: Called) -> ast.expr | None:
    return called.given.get(node.id) if isinstance(node, ast.Name) else None


def _set_in(loop: ast.For, module: ModuleIndex) -> Iterator[_Setting]:
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=model, attr=method), args=[]) if method in _MODULES:
            variable = next((name for name, path in item_paths(loop.target) if path == _MODULES[method]), None)
        case _:
            return
    for statement in loop.body:
        match statement:
            case ast.If(test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), layer]), body=body):
                for attr, value, node in _assigned(asked, body) if asked == variable else ():
                    yield _Setting(model, layer, module, attr, value, node)


def _assigned(name: str, body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr, ast.stmt]]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=value):
                if owner == name:
                    yield attr, value, node


def _layers(scope: Scope, setting: _Setting) -> Iterator[Kind]:
    """Layers of the classes that `isinstance` names."""
    asked = setting.layer
    for each in asked.elts if isinstance(asked, ast.Tuple) else [asked]:
        match scope.inspector.evaluate_globally(setting.module, each):
            case kinds.Reference(name=name) if name.startswith("torch.nn."):
                yield kinds.External(name)
            case kinds.ProjectClass() as cls:
                yield scope.inspector.instance(cls)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changed_options,)
