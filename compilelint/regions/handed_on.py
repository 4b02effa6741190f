"""The functions that a file hands what it compiles: `save(model, path)`, `Trainer(model)`.

What they do with their parameter, they do with the wrapper. Such a function is a scope once more, in which the
parameter is known to be compiled; so are the attributes in which a class keeps it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from compilelint.inspect import classes, kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.regions import scope_kinds, scopes
from compilelint.regions.driving import parameter_of
from compilelint.regions.queries import calls, compiled_in_place
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Bound, Scope
from compilelint.source.index import node_key
from compilelint.source.model import Key
from compilelint.source.nodes import positional_names

_LIMIT = 100
"""Scopes of one file that are looked at once more; nothing that people write comes near."""
_ByKey: TypeAlias = dict[Key, Scope]


def handed_scopes(inspector: Inspector, own: list[Scope]) -> Iterator[Scope]:
    """The functions that these scopes hand something compiled, directly or through each other."""
    known: dict[str, _ByKey] = {scope.module.name: _by_key(own) for scope in own[:1]}
    seen: set[tuple[object, ...]] = set()
    pending = list(own)
    for _ in range(_LIMIT + len(own)):
        if not pending:
            return
        scope = pending.pop(0)
        for identity, handed in (*_through_calls(inspector, scope, known), *_through_attributes(scope, known)):
            if identity not in seen:
                seen.add(identity)
                pending.append(handed)
                yield handed


def _by_key(found: list[Scope]) -> _ByKey:
    return {node_key(scope.module.name, scope.node): scope for scope in found if not isinstance(scope.node, ast.Module)}


def _through_calls(
    inspector: Inspector, scope: Scope, known: dict[str, _ByKey]
) -> Iterator[tuple[tuple[object, ...], Scope]]:
    in_place = compiled_in_place(scope)
    for call in calls(scope):
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if not isinstance(argument, ast.Name | ast.Attribute | ast.Call):
                continue
            kind = kind_at(scope, argument)
            since = in_place.get(ast.unparse(argument)) if in_place else None
            is_in_place = since is not None and since < scopes.start_of(call)
            if scope_kinds.compiled_among(kind) is None and not is_in_place:
                continue
            called = _called(inspector, scope, call, known)
            parameter = called and parameter_of(call, _positional(called), argument)
            if not called or parameter not in called.bindings:
                continue
            identity = (node_key(called.module.name, called.node), parameter, kind, is_in_place)
            first = Bound((0, 0), kind=kind)
            bindings = {**called.bindings, parameter: [first, *called.bindings[parameter][1:]]}
            noted = (parameter,) if is_in_place else ()
            yield identity, replace(called, bindings=bindings, given_in_place=noted, answers={}, depth=0)


def _called(inspector: Inspector, scope: Scope, call: ast.Call, known: dict[str, _ByKey]) -> Scope | None:
    """The function of the project that a call runs: of a class its `__init__`."""
    key: Key | None = None
    match kind_at(scope, call.func):
        case kinds.Function(key=function):
            key = function
        case kinds.ProjectClass() as cls:
            key = classes.find_method(inspector, cls, "__init__")
    module = inspector.tree.module(key[0]) if key is not None else None
    if key is None or module is None:
        return None
    if module.name not in known:
        known[module.name] = _by_key(list(scopes.scopes(inspector, module)))
    return known[module.name].get(key)


def _positional(scope: Scope) -> list[str]:
    """The names that positional arguments of a call go to."""
    if isinstance(scope.node, ast.Module):
        return []
    names = positional_names(scope.node.args)
    return names[1:] if scope.owner is not None and not _is_static(scope.node) else names


def _is_static(node: scopes.FunctionDef) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == "staticmethod" for decorator in node.decorator_list)


def _through_attributes(scope: Scope, known: dict[str, _ByKey]) -> Iterator[tuple[tuple[object, ...], Scope]]:
    """`self.model = model`, of a parameter that is compiled: the other methods of the class have it."""
    if scope.owner is None or scope.self_name is None:
        return
    kept = dict(_kept(scope))
    for method in known.get(scope.module.name, {}).values() if kept else ():
        if method.owner is None or method.owner != scope.owner or method.self_name is None or method.node is scope.node:
            continue
        given: dict[str, Kind] = {f"{method.self_name}.{attr}": kind for attr, kind in kept.items()}
        identity = (node_key(method.module.name, method.node), tuple(given.items()))
        yield identity, replace(method, given=given, answers={}, depth=0)


def _kept(scope: Scope) -> Iterator[tuple[str, Kind]]:
    """The attributes of `self` that get what a parameter is, where that is compiled."""
    for attr, bounds in scope.held.items():
        for owner, bound in bounds:
            if owner != scope.self_name or not isinstance(bound.value, ast.Name):
                continue
            found = scopes.binding_at(scope, bound.value.id, scopes.start_of(bound.value))
            if found is not None and found[1].kind is not None and scope_kinds.compiled_among(found[1].kind):
                yield attr, found[1].kind
