"""Modules that compile what they hold: `self.net.compile()` in `__init__`. What is around that runs as it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from compilelint.inspect import kinds, signatures
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling.compilations import COMPILE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.attributes import GIVES_ITSELF
from compilelint.regions.around.scope_kinds import is_module
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import walk
from compilelint.source.watched import says


def compiles_parts(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether a method of a class, its own or inherited, compiles what `self` holds, or keeps what it compiles."""
    return inspector.derived(("compiles parts", cls.key), lambda: _compiles_parts(inspector, cls))


def _compiles_parts(inspector: Inspector, cls: ProjectClass) -> bool:
    for info in classes.infos(inspector, cls):
        module = inspector.tree.module(info.key[0])
        for key in info.methods.values() if module is not None else ():
            method = inspector.tree.function(key)
            if module is None or method is None or isinstance(method.node, ast.Lambda):
                continue
            if says(method.node, module.lines, "compile(") and any(_compilations(inspector, module, method)):
                return True
    return False


def is_made_of_compiled_modules(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether the `__init__` of a class, its own or inherited, compiles modules that its objects hold: its author has
    drawn the line there, and what is around them runs as it stands where nobody compiles it as well.

    Functions (`torch.compile(flex_attention)`) and methods of its own draw none: layers keep these, and are compiled
    with the model that they are part of.
    """
    return inspector.derived(("made of compiled", cls.key), lambda: _is_made_of_compiled_modules(inspector, cls))


def _is_made_of_compiled_modules(inspector: Inspector, cls: ProjectClass) -> bool:
    for info in classes.infos(inspector, cls):
        module = inspector.tree.module(info.key[0])
        key = info.methods.get("__init__")
        method = inspector.tree.function(key) if key is not None else None
        if module is not None and method is not None and says(method.node, module.lines, "compile("):
            targets = list(_compiled_in_place(method)) + [
                call.args[0] for call in _kept_calls(method) if call.args and _is_compile(inspector, module, call.func)
            ]
            if any(_is_part(inspector, module, method, cls, target) for target in targets):
                return True
    return False


def _kept_calls(method: FunctionInfo) -> Iterator[ast.Call]:
    """The calls whose results a method keeps on `self`."""
    own = first_parameter(method.node)
    for node in walk(method.node):
        match node:
            case ast.Assign(targets=targets, value=ast.Call() as call) if any(_is_of(each, own) for each in targets):
                yield call


def _compiled_in_place(method: FunctionInfo) -> Iterator[ast.expr]:
    """What a method may compile in place: `self.net.compile()`, or each of a list of layers."""
    for node in walk(method.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            yield node.func.value


def _is_part(
    inspector: Inspector, module: ModuleIndex, method: FunctionInfo, cls: ProjectClass, target: ast.expr
) -> bool:
    """Whether what `__init__` compiles is a module that it makes, or one that the object holds."""
    own = first_parameter(method.node)
    match target:
        case ast.Name(id=name):
            return name in _held(walk(method.node), own)
        case ast.Call(func=ast.Attribute(value=ast.Call() as made, attr=attr)) if attr in GIVES_ITSELF:
            return _is_part(inspector, module, method, cls, made)
        case ast.Call(func=func):
            return _makes_module(inspector, inspector.evaluate_globally(module, func))
        case ast.Attribute(value=part, attr="forward" | "__call__"):
            return _is_part(inspector, module, method, cls, part)
        case ast.Attribute() | ast.Subscript() if _is_of(target, own):
            kind = _kind_of(inspector, cls, target)
            return kind == kinds.UNKNOWN or any(is_module(option) for option in kinds.options(kind))
        case _:
            return False


def _kind_of(inspector: Inspector, cls: ProjectClass, node: ast.expr) -> Kind:
    """What an expression of attributes of `self` is; a layer of a list is not known."""
    match node:
        case ast.Attribute(value=ast.Name(), attr=attr):
            return inspector.attribute(inspector.instance(cls), attr)
        case ast.Attribute(value=base, attr=attr):
            return inspector.attribute(_kind_of(inspector, cls, base), attr)
        case _:
            return kinds.UNKNOWN


def _makes_module(inspector: Inspector, called: Kind) -> bool:
    match called:
        case ProjectClass():
            return inspector.instance(called).module
        case kinds.Reference(name=name):
            return signatures.is_module_class(name)
        case _:
            return False


def _compilations(inspector: Inspector, module: ModuleIndex, method: FunctionInfo) -> Iterator[bool]:
    own = first_parameter(method.node)
    nodes = list(walk(method.node))
    held = _held(nodes, own)
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Call(func=func)) if any(_is_of(each, own) for each in targets):
                yield _is_compile(inspector, module, func)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="compile")) if name in held:
                yield True
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as part, attr="compile")) if _is_of(part, own):
                yield True
            case ast.Call(func=func, args=[part, *_]) if _is_of(part, own):
                yield _is_compile(inspector, module, func)


def _held(nodes: Iterable[ast.AST], own: str | None) -> set[str]:
    """The names of what a method goes through of what `self` holds."""
    return {name for node in nodes if isinstance(node, ast.For) and _is_of(node.iter, own) for name in _names(node)}


def _is_of(node: ast.AST, own: str | None) -> bool:
    """Whether an expression reads an attribute of `self`, however deep."""
    return any(
        isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == own
        for each in walk(node)
    )


def _names(loop: ast.For) -> Iterator[str]:
    return (node.id for node in walk(loop.target) if isinstance(node, ast.Name))


def _is_compile(inspector: Inspector, module: ModuleIndex, func: ast.expr) -> bool:
    return inspector.evaluate_globally(module, func) == kinds.Reference(COMPILE)
