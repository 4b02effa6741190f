"""Calls of what is compiled that a function makes which a scope calls: `self.one_epoch()`, `train(model, loader)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.members import classes
from compilelint.regions.around.compiled import Compiled, compiled_callable
from compilelint.regions.around.compiled_by_methods import compiles_attributes
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, Statement, asked_once, method_scope
from compilelint.source.nodes import parameter_of, positional_names, walk


@asked_once
def drives_of_callees(scope: Scope) -> list[Drive]:
    """The calls as if the scope made them, without their arguments."""
    return [drive for statement, call in scope.calls for drive in _of_callee(scope, statement, call)]


def _of_callee(scope: Scope, statement: Statement, call: ast.Call) -> Iterator[Drive]:
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if scope.owner is not None and name == scope.self_name:
            if not compiles_attributes(scope.inspector, scope.owner.cls):
                return
            key = classes.find_method(scope.inspector, scope.owner.cls, attr)
            method = method_scope(scope, key) if key is not None and key[0] == scope.module.name else None
            if method is not None and method.self_name == name and method.node is not scope.node:
                for drive in drives(method):
                    if any(isinstance(part, ast.Name) and part.id == name for part in walk(drive.call.func)):
                        yield _moved(drive.call.func, drive.compiled, statement, call)
        case ast.Name():
            called = kind_at(scope, call.func) if call.args or call.keywords else kinds.UNKNOWN
            info = scope.inspector.tree.function(called.key) if isinstance(called, kinds.Function) else None
            if info is None or isinstance(info.node, ast.Lambda):
                return
            names = positional_names(info.node.args)
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                given = parameter_of(call, names, argument)
                is_named = isinstance(argument, ast.Name | ast.Attribute)
                compiled = compiled_callable(scope, argument) if is_named and given is not None else None
                if compiled is not None and given is not None and _calls(info.node, given):
                    yield _moved(argument, compiled, statement, call)


def _calls(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for node in walk(function)
    )


def _moved(func: ast.expr, compiled: Compiled, statement: Statement, call: ast.Call) -> Drive:
    return Drive(ast.copy_location(ast.Call(func, [], []), call), statement, compiled)
