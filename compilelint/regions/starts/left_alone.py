"""Modules of a script that it runs as they are, while it compiles others: augmentations, losses, metrics, teachers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members.attributes import GIVES_ITSELF
from compilelint.regions.around.scopes import FunctionDef, start_of
from compilelint.regions.starts.prose import may_compile
from compilelint.source.model import Key, ModuleIndex
from compilelint.source.nodes import walk


def left_alone(inspector: Inspector, module: ModuleIndex) -> frozenset[Key]:
    """The classes of a script that compiles something, whose objects it only makes and calls: they are no part of what
    it compiles, and nobody else can compile them.

    Whatever else is done with one may lead to where it is compiled: it is handed on, kept in an attribute, is a base.
    """
    return inspector.derived(("left alone", module.name), lambda: frozenset(_left_alone(inspector, module)))


def _left_alone(inspector: Inspector, module: ModuleIndex) -> Iterator[Key]:
    if not may_compile(module, inspector.tree.text_of(module)) or any(inspector.tree.importers(module.name)):
        return
    functions = (info.node for info in module.functions.values() if not isinstance(info.node, ast.Lambda))
    alone = {id(made) for maker in (module.tree, *functions) for made in _only_called(maker)}
    for info in list(module.classes.values()):
        named = [node for node in walk(module.tree) if isinstance(node, ast.Name) and node.id == info.name]
        is_module = inspector.instance(ProjectClass(info.key, info.name)).module
        if is_module and info.qualname == info.name and named and all(id(node) in alone for node in named):
            yield info.key


def _only_called(maker: ast.Module | FunctionDef) -> Iterator[ast.Name]:
    """Where a function, or the script itself, makes an object of a class that it has a name for, and only calls it and
    its methods: the name of each such class."""
    names = sorted((node for node in walk(maker) if isinstance(node, ast.Name)), key=start_of)
    made = {id(target): made for target, made in _made(maker)}
    called, harmless = _called(maker)
    own = {id(target) for statement in maker.body if isinstance(statement, ast.Assign) for target in statement.targets}
    for name in {node.id for node in names if id(node) in made}:
        mine = [node for node in names if node.id == name]
        in_order = all(id(node) in own for node in mine if not isinstance(node.ctx, ast.Load))
        for bound, read in _by_binding(mine) if in_order else [(mine[0], mine[1:])]:
            uses = [id(node) for node in read]
            if id(bound) in made and harmless.issuperset(uses) and called.intersection(uses):
                yield made[id(bound)]


def _by_binding(names: list[ast.Name]) -> Iterator[tuple[ast.Name, list[ast.Name]]]:
    """Each binding of a name that is only bound from top to bottom, with where it is read until the next."""
    places = [place for place, node in enumerate(names) if not isinstance(node.ctx, ast.Load)]
    for place, following in zip(places, [*places[1:], len(names)], strict=True):
        yield names[place], names[place + 1 : following]


def _made(maker: ast.Module | FunctionDef) -> Iterator[tuple[ast.Name, ast.Name]]:
    """The names that `net = Net(3).to(device)` binds, each with that of the class."""
    for node in walk(maker):
        match node:
            case ast.Assign(targets=[ast.Name() as target], value=value) if (made := _class_of(value)) is not None:
                yield target, made


def _class_of(value: ast.expr) -> ast.Name | None:
    match value:
        case ast.Call(func=ast.Attribute(value=made, attr=attr)) if attr in GIVES_ITSELF:
            return _class_of(made)
        case ast.Call(func=ast.Name() as name):
            return name
        case _:
            return None


def _called(maker: ast.Module | FunctionDef) -> tuple[set[int], set[int]]:
    """The names that are called, and these with those of which a method is called that neither compiles nor gives the
    object itself to something else."""
    called: set[int] = set()
    harmless: set[int] = set()
    for node in walk(maker):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=attr))) if attr != "compile":
                harmless.add(id(name))
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=attr)) if (
                attr != "compile" and attr not in GIVES_ITSELF
            ):
                harmless.add(id(name))
            case ast.Call(func=ast.Name() as name):
                called.add(id(name))
    return called, called | harmless
