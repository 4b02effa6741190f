"""Objects that a compiled module is made with and keeps: `cfg` of `net = Net(cfg)`, `self.cfg = cfg`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.regions.around.driving import Drive
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.compiled_apart import method_of
from compilelint.source.nodes import parameter_of, positional_names


def kept_as(scope: Scope, drive: Drive, name: str) -> Iterator[str]:
    """The attributes in which a module that is called keeps an object which the scope has under a name, and made it
    with. Of what a plain object holds Dynamo keeps numbers open."""
    for target in drive.compiled.targets:
        if isinstance(target.receiver, kinds.Instance) and target.receiver.module:
            yield from _attributes(scope, target.receiver.cls, name)


def _attributes(scope: Scope, cls: kinds.ProjectClass, name: str) -> Iterator[str]:
    for _, call in scope.calls:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        named = [each for each in given if isinstance(each, ast.Name) and each.id == name]
        if not named or kind_at(scope, call.func) != cls:
            continue
        init = method_of(scope, cls, "__init__")
        if init is None:
            return
        parameters = {parameter_of(call, positional_names(init.node.args)[1:], each) for each in named}
        own = first_parameter(init.node)
        for statement in init.node.body if isinstance(init.node, ast.FunctionDef) else ():
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=ast.Name(id=parameter)
                ) if owner == own and parameter in parameters:
                    yield attr
