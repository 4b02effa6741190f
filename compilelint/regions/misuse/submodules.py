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
    for base, value in _stored(scope):
        made = _compile_call(scope, value)
        target = scope_kinds.compile_target(scope, made) if made is not None else None
        if made is None or target is None:
            continue
        kind = kind_at(scope, target, scopes.start_of(made))
        if _is_part_of_module(scope, base) and _has_keys(scope, kind):
            yield Usage("submodule", made, "torch.compile", kind)


def _stored(scope: Scope) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is put into something, each with what that is: as an attribute, an item or a child of that name."""
    for statement in scope.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Attribute(value=base)], value=ast.Call() as value):
                yield base, value
            case ast.Assign(targets=[ast.Subscript(value=base)], value=value) if _holds_items(scope, value, base):
                yield base, value
    for call in calls(scope):
        match call:
            case ast.Call(func=ast.Name(id="setattr"), args=[base, _, value]):
                yield base, value
            case ast.Call(func=ast.Attribute(value=base, attr=attr), args=[_, value]) if attr in _REGISTERING:
                yield base, value
            case ast.Call(func=ast.Attribute(value=base, attr=attr), args=[*_, value]) if (
                attr in _ADDING and _holds_items(scope, value, base)
            ):
                yield base, value


def _compile_call(scope: Scope, value: ast.expr) -> ast.Call | None:
    """The call that gives a value: itself, or what a name was bound to here, `block = torch.compile(block)`."""
    if isinstance(value, ast.Name):
        bound = scopes.last_seen(scope, scope.bindings.get(value.id, ()), scopes.start_of(value))
        return bound.value if bound is not None and isinstance(bound.value, ast.Call) else None
    return value if isinstance(value, ast.Call) else None


def _holds_items(scope: Scope, value: ast.expr, base: ast.expr) -> bool:
    """Whether something is a list of modules or the like; asked only where a call or a name is put into it."""
    if not isinstance(value, ast.Call | ast.Name):
        return False
    kind = kind_at(scope, base)
    return isinstance(kind, kinds.External) and kind.cls in _HOLDS_ITEMS


def _is_part_of_module(scope: Scope, base: ast.expr) -> bool:
    return scope_kinds.is_plain_module(kind_at(scope, base))


def _has_keys(scope: Scope, kind: Kind) -> bool:
    return scope_kinds.is_plain_module(kind) and may_have_state(scope.inspector, kind)
