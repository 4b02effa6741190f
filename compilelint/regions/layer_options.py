"""Options of layers that a loop through the modules of a model sets: `for m in net.modules(): … m.p = rate`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.arguments import FEW
from compilelint.regions.between_calls import names_of_called, set_inside
from compilelint.regions.driving import Drive, drives, loops_around
from compilelint.regions.scopes import Scope, Statement, item_paths
from compilelint.regions.setters import called_with
from compilelint.regions.usage import Usage
from compilelint.regions.varying import variation
from compilelint.source.model import ModuleIndex
from compilelint.source.nodes import walk

_MODULES = {"modules": (), "named_modules": (1,), "children": (), "named_children": (1,)}
"""Methods that go through the layers of a model, and where among what they give the layer is."""


class _Setting(Struct, frozen=True):
    """One option of all layers of a class."""

    model: ast.expr
    layer: ast.expr
    """The class, as `isinstance` names it."""
    attr: str
    value: ast.expr
    node: ast.stmt


def _changed_options(scope: Scope) -> Iterator[Usage]:
    called = drives(scope)
    for statement in scope.statements if called else ():
        near = [drive for drive in called if _is_called_after(statement, drive)]
        for setting, module in _settings(scope, statement) if near else ():
            changes = variation(scope, setting.value, loops_around(statement))
            if changes is None or (changes.values is not None and changes.values < FEW):
                continue
            if not isinstance(setting.model, ast.Name) or setting.model.id not in names_of_called(near):
                continue
            for layer in _layers(scope, setting.layer, module):
                construct = set_inside(scope, layer, setting.attr, changes)
                if construct is not None:
                    yield Usage(construct, setting.node, receiver=layer)
                    break


def _is_called_after(statement: Statement, drive: Drive) -> bool:
    """Whether the call happens each time that the layers are gone through: in the loop around that."""
    around = loops_around(statement)
    return bool(around) and around[-1] in drive.loops


def _settings(scope: Scope, statement: Statement) -> Iterator[tuple[_Setting, ModuleIndex]]:
    """What a loop sets, or one in a function that is called; and the file that names the layers."""
    match statement.node:
        case ast.For() as loop:
            for setting in _set_in(loop):
                yield setting, scope.module
        case ast.Expr(value=ast.Call() as call):
            called = called_with(scope, call)
            module = scope.inspector.tree.module(called.function.key[0]) if called is not None else None
            if called is None or module is None:
                return
            loops = (node for node in walk(called.function.node) if isinstance(node, ast.For))
            for each in loops:
                for setting in _set_in(each):
                    model, value = (_given(node, called.given) for node in (setting.model, setting.value))
                    if model is not None and value is not None:
                        yield _Setting(model, setting.layer, setting.attr, value, statement.node), module


def _given(node: ast.expr, given: dict[str | None, ast.expr]) -> ast.expr | None:
    return given.get(node.id) if isinstance(node, ast.Name) else None


def _set_in(loop: ast.For) -> Iterator[_Setting]:
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=model, attr=method), args=[]) if method in _MODULES:
            variable = next((name for name, path in item_paths(loop.target) if path == _MODULES[method]), None)
        case _:
            return
    for statement in loop.body:
        match statement:
            case ast.If(test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), layer]), body=body):
                if asked == variable:
                    yield from _assigned(model, asked, layer, body)


def _assigned(model: ast.expr, variable: str, layer: ast.expr, body: list[ast.stmt]) -> Iterator[_Setting]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=value):
                if owner == variable:
                    yield _Setting(model, layer, attr, value, node)


def _layers(scope: Scope, node: ast.expr, module: ModuleIndex) -> Iterator[Kind]:
    """Layers of the classes that `isinstance` names."""
    for each in node.elts if isinstance(node, ast.Tuple) else [node]:
        match scope.inspector.evaluate_globally(module, each):
            case kinds.Reference(name=name) if name.startswith("torch.nn."):
                yield kinds.External(name)
            case kinds.ProjectClass() as cls:
                yield scope.inspector.instance(cls)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changed_options,)
