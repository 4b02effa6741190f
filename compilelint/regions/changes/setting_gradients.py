"""Functions that set `requires_grad` of the networks that they are given: `set_requires_grad(critic, False)`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from compilelint.inspect import kinds
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import parameter_of, positional_names, walk
from compilelint.source.watched import says


def by_call(scope: Scope, statement: ast.stmt) -> list[tuple[ast.expr, str]]:
    """What a call that is a statement of its own gives to `requires_grad`, and the names of the modules it is given to:
    none where the function that it calls does nothing of the sort."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute(), args=[_, *_]) as call):
            pass
        case _:
            return []
    called = kind_at(scope, call.func)
    info = scope.inspector.tree.function(called.key) if isinstance(called, kinds.Function) else None
    module = scope.inspector.tree.module(info.key[0]) if info is not None else None
    if info is None or module is None or not says(info.node, module.lines, "requires_grad"):
        return []
    assert isinstance(called, kinds.Function)
    names = positional_names(info.node.args)[1 if called.receiver is not None else 0 :]
    given = {name: each for each in call.args if (name := parameter_of(call, names, each)) is not None}
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    return _given_to(info, _defaults(info) | given)


def _defaults(info: FunctionInfo) -> dict[str, ast.expr]:
    names = positional_names(info.node.args)
    defaults = info.node.args.defaults
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))


def _given_to(info: FunctionInfo, arguments: Mapping[str, ast.expr]) -> list[tuple[ast.expr, str]]:
    """What a function with these arguments sets: of a list of modules each."""
    found: list[tuple[ast.expr, str]] = []
    loops = {
        node.target.id: node.iter
        for node in walk(info.node)
        if isinstance(node, ast.For) and type(node.target) is ast.Name
    }
    for node in walk(info.node):
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="requires_grad")], value=value)
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="requires_grad_"), args=[value])
            ):
                given = arguments.get(value.id) if isinstance(value, ast.Name) else value
                modules = arguments.get(_taken_from(name, loops))
                if given is not None:
                    found += ((given, each) for each in _names(modules))
    return found


def _taken_from(name: str, loops: Mapping[str, ast.expr]) -> str:
    """Of what loops take out of each other, that of which the first takes it: `net` of `p`, with `for p in
    net.parameters():`."""
    for _ in loops:
        match loops.get(name):
            case (
                ast.Name(id=outer) | ast.Call(func=ast.Attribute(value=ast.Name(id=outer), attr="parameters"), args=[])
            ):
                name = outer
            case _:
                break
    return name


def _names(modules: ast.expr | None) -> list[str]:
    match modules:
        case ast.Name(id=name):
            return [name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [part.id for part in parts if isinstance(part, ast.Name)]
        case _:
            return []
