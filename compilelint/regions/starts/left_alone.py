"""Modules of a script that it runs as they are, while it compiles others: augmentations, losses, metrics, teachers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members.attributes import GIVES_ITSELF
from compilelint.regions.around.scopes import FunctionDef, start_of
from compilelint.regions.starts.compiled_as_made import is_compiled_as_made
from compilelint.regions.starts.prose import may_compile
from compilelint.source.model import Key, ModuleIndex
from compilelint.source.nodes import parameter_of, positional_names, walk


def left_alone(inspector: Inspector, module: ModuleIndex) -> frozenset[Key]:
    """The classes of a script that compiles something, whose objects it only makes and calls: they are no part of what
    it compiles, and nobody else can compile them.

    So are those that only these hold, unless the file is part of a package. A function of the script may be given one,
    if it does no more with it. Whatever else is done with one may lead to where it is compiled: it is handed on, kept
    in an attribute, is a base. What makes one may compile it, too: a decorator of its class, what its base does.
    """
    return inspector.derived(("left alone", module.name), lambda: frozenset(_left_alone(inspector, module)))


def _left_alone(inspector: Inspector, module: ModuleIndex) -> Iterator[Key]:
    if not may_compile(module, inspector.tree.text_of(module)) or any(inspector.tree.importers(module.name)):
        return
    if not any(map(_compiles, walk(module.tree))):
        return
    script = _script(module)
    functions = (info.node for info in module.functions.values() if not isinstance(info.node, ast.Lambda))
    alone = {id(made) for maker in (module.tree, *functions) for made in _only_called(script, maker)}
    pending = [
        info
        for info in module.classes.values()
        if info.qualname == info.name
        and inspector.instance(ProjectClass(info.key, info.name)).module
        and not is_compiled_as_made(inspector, module, info)
    ]
    named = {info.name: [id(node) for node in script.names if node.id == info.name] for info in pending}
    while found := [info for info in pending if named[info.name] and alone.issuperset(named[info.name])]:
        yield from (info.key for info in found)
        if module.package:  # what makes an object there shows how that is done: others use the parts
            return
        pending = [info for info in pending if info not in found]
        alone.update(id(node) for info in found for node in walk(info.node) if isinstance(node, ast.Name))


def _compiles(node: ast.AST) -> bool:
    """Whether it compiles something, or calls what may do so by its name: an option called so compiles nothing."""
    match node:
        case ast.Attribute(value=ast.Name(id="torch"), attr="compile"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
            return False
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return "compile" in name
        case _:
            return False


@dataclass(slots=True)
class _Script:
    """What is asked of a file again and again."""

    names: list[ast.Name]
    functions: dict[str, ast.FunctionDef]
    """Those that are only called, by their names."""
    known: dict[tuple[str, str], _Uses] = field(default_factory=dict)
    """What functions do with their parameters."""


@dataclass(frozen=True, slots=True)
class _Uses:
    """What is done with an object: whether no more than to call it and its methods, and whether it is called."""

    harmless: bool
    called: bool


def _script(module: ModuleIndex) -> _Script:
    names = [node for node in walk(module.tree) if isinstance(node, ast.Name)]
    called = {id(node.func) for node in walk(module.tree) if isinstance(node, ast.Call)}
    otherwise = {node.id for node in names if id(node) not in called}
    functions = {
        node.name: node
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and node.name not in otherwise
    }
    return _Script(names, functions)


def _only_called(script: _Script, maker: ast.Module | FunctionDef) -> Iterator[ast.Name]:
    """Where a function, or the script itself, makes an object of a class that it has a name for, and only calls it and
    its methods: the name of each such class."""
    moved = {id(node) for node in _moved(maker)}
    names = [node for node in walk(maker) if isinstance(node, ast.Name) and id(node) not in moved]
    names.sort(key=start_of)
    made = {id(target): made for target, made in _made(maker)}
    called, harmless = _called(script, maker)
    own = {id(target) for statement in maker.body if isinstance(statement, ast.Assign) for target in statement.targets}
    for name in {node.id for node in names if id(node) in made}:
        mine = [node for node in names if node.id == name]
        in_order = all(id(node) in own for node in mine if not isinstance(node.ctx, ast.Load))
        for bound, read in _by_binding(mine) if in_order else [(mine[0], mine[1:])]:
            uses = [id(node) for node in read]
            if id(bound) in made and harmless.issuperset(uses) and called.intersection(uses):
                yield made[id(bound)]


def _moved(maker: ast.Module | FunctionDef) -> Iterator[ast.Name]:
    """The names in `net = net.to(device)`, after which it is the same object."""
    for node in walk(maker):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name) as target],
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=moved) as read, attr=attr)),
            ) if name == moved and attr in GIVES_ITSELF:
                yield from (target, read)


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


def _called(script: _Script, maker: ast.Module | FunctionDef) -> tuple[set[int], set[int]]:
    """The names that are called, and these with those of which a method is called that neither compiles nor gives the
    object itself to something else; to be handed to a function that does no more is the same."""
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
        if isinstance(node, ast.Call):
            for argument, uses in _handed(script, node):
                harmless |= {id(argument)} if uses.harmless else set()
                called |= {id(argument)} if uses.harmless and uses.called else set()
    return called, called | harmless


def _handed(script: _Script, call: ast.Call) -> Iterator[tuple[ast.Name, _Uses]]:
    """The names that a call hands to a function of the script, with what that does with them."""
    function = script.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if function is None:
        return
    names = positional_names(function.args)
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        parameter = parameter_of(call, names, argument) if isinstance(argument, ast.Name) else None
        if isinstance(argument, ast.Name) and parameter is not None:
            yield argument, _done_with(script, function, parameter)


def _done_with(script: _Script, function: FunctionDef, parameter: str) -> _Uses:
    key = (function.name, parameter)
    if key not in script.known:
        script.known[key] = _Uses(harmless=True, called=False)  # of one that hands it to itself the rest decides
        called, harmless = _called(script, function)
        uses = {id(node) for node in walk(function) if isinstance(node, ast.Name) and node.id == parameter}
        script.known[key] = _Uses(harmless.issuperset(uses), not called.isdisjoint(uses))
    return script.known[key]
