"""Compiled modules that become part of another module: their parameters get `_orig_mod.` into their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.queries import calls
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.around.state import may_have_state
from compilelint.regions.usage import Usage

_REGISTERING = ("add_module", "register_module")
_HOLDS_ITEMS = ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential")
_ADDING = ("append", "insert")
"""Methods of those that take a module as the last argument."""


def kept_compiled(scope: Scope) -> Iterator[Usage]:
    """`self.encoder = torch.compile(Encoder())` in a module, `model.layers[i] = torch.compile(layer)`."""
    yield from _as_attributes(scope)
    for base, value, as_item in _put_into(scope):
        made = _compile_call(scope, value)
        if made is not None and (not as_item or _holds_items(kind_at(scope, base))):
            yield from _renamed(scope, base, made)


def _as_attributes(scope: Scope) -> Iterator[Usage]:
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base)], value=ast.Call() as made):
                yield from _renamed(scope, base, made)


def _renamed(scope: Scope, base: ast.expr, made: ast.Call) -> Iterator[Usage]:
    """What is told of a call that gives a part of something: if that is a module, and the part has keys."""
    target = scope_kinds.compile_target(scope, made)
    if target is None or not scope_kinds.is_plain_module(kind_at(scope, base)):
        return
    kind = kind_at(scope, target, scopes.start_of(made))
    if scope_kinds.is_plain_module(kind) and may_have_state(scope.inspector, kind):
        yield Usage("submodule", made, "torch.compile", kind)


def _put_into(scope: Scope) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """What is put into something, after that, and whether it is an item of it, else a child under a name."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute() as base)], value=value):
                yield base, value, True  # a list that is nobody's is hardly saved
    for call in calls(scope):
        match call:
            case ast.Call(func=ast.Name(id="setattr"), args=[whole, _, value]):
                yield whole, value, False
            case ast.Call(func=ast.Attribute(value=whole, attr=attr), args=[_, value]) if attr in _REGISTERING:
                yield whole, value, False
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as whole, attr=attr), args=[*_, value]) if (
                attr in _ADDING
            ):
                yield whole, value, True


def _compile_call(scope: Scope, value: ast.expr) -> ast.Call | None:
    """The call that gives a value: itself, or what a name was bound to here, `block = torch.compile(block)`. Only its
    name is asked: most of what is put into something is no such call."""
    if isinstance(value, ast.Name):
        bound = scopes.last_seen(scope, scope.bindings.get(value.id, ()), scopes.start_of(value))
        value = bound.value if bound is not None and bound.value is not None else value
    match value:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if "compile" in name:
            return value
        case _:
            return None


def _holds_items(kind: Kind) -> bool:
    return isinstance(kind, kinds.External) and kind.cls in _HOLDS_ITEMS
