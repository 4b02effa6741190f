"""Methods that set what they are given as an attribute: `model.set_epoch(epoch)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import classes, kinds
from compilelint.regions import scope_kinds
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.source.nodes import parameter_of, positional_names


def set_by(scope: Scope, call: ast.Call) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """What a call of a module's method sets in every case, as an assignment in its place would, and to which argument.

    `model.set_epoch(i)` stands for `model.epoch = i`, and for `model.head.epoch = i`, if that is what the method does.
    """
    if not isinstance(call.func, ast.Attribute) or len(call.args) + len(call.keywords) == 0:
        return
    kind = kind_at(scope, call.func.value)
    if scope_kinds.is_compiled(kind) and isinstance(kind, kinds.External):
        kind = kind.args[0]
    if not isinstance(kind, kinds.Instance) or not kind.module:
        return
    key = classes.find_method(scope.inspector, kind.cls, call.func.attr)
    method = scope.inspector.tree.function(key) if key is not None else None
    if method is None or isinstance(method.node, ast.Lambda) or method.node.decorator_list:
        return
    receiver, *names = positional_names(method.node.args) or [""]
    given = {
        parameter_of(call, names, argument): argument
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if not isinstance(argument, ast.Starred)
    }
    for statement in method.node.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Name(id=name)) if name in given:
                if (written := _written(target, receiver, call.func.value)) is not None:
                    yield ast.copy_location(written, call), given[name]


def _written(target: ast.Attribute, receiver: str, owner: ast.expr) -> ast.Attribute | None:
    """What a method sets, as its caller would write it; None of what is not its own object's."""
    match target.value:
        case ast.Name(id=name) if name == receiver:
            return ast.Attribute(owner, target.attr, ast.Store())
        case ast.Attribute() as holder if (inner := _written(holder, receiver, owner)) is not None:
            return ast.Attribute(ast.copy_location(inner, owner), target.attr, ast.Store())
        case _:
            return None
