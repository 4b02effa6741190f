"""Modules that compile what they hold: `self.net.compile()` in `__init__`. What is around that runs as it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.calling.compilations import COMPILE
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
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


def _compilations(inspector: Inspector, module: ModuleIndex, method: FunctionInfo) -> Iterator[bool]:
    own = first_parameter(method.node)
    nodes = list(walk(method.node))
    held = {name for node in nodes if isinstance(node, ast.For) and _is_of(node.iter, own) for name in _names(node)}
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
