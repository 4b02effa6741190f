"""The functions that a file hands what it compiles: `save(model, path)`, `Trainer(model)`.

What they do with their parameter, they do with the wrapper. Such a function is a scope once more, in which the
parameter is known to be compiled; so are the attributes in which a class keeps it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.compiled import Compiled, compiled_callable
from compilelint.regions.around.queries import calls, compiled_in_place
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Bound, Scope
from compilelint.source.index import node_key
from compilelint.source.model import Key
from compilelint.source.nodes import parameter_of, positional_names

_LIMIT = 100
"""Scopes of one file that are looked at once more; nothing that people write comes near."""
_FUNCTIONS = (kinds.Function, kinds.Partial, kinds.Method)
"""What a compiled function is to who asks for its kind: a function like others."""
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
            is_wrapper = scope_kinds.compiled_among(kind) is not None or is_in_place
            compiled = compiled_callable(scope, argument) if is_wrapper or isinstance(kind, _FUNCTIONS) else None
            if compiled is None and not is_wrapper:
                continue
            called = _called(inspector, scope, call, known)
            parameter = called and parameter_of(call, _positional(called), argument)
            if not called or parameter not in called.bindings:
                continue
            first = Bound((0, 0), kind=kind)
            bindings = {**called.bindings, parameter: [first, *called.bindings[parameter][1:]]}
            noted = (parameter,) if is_in_place else ()
            handed = _as_handed(called, call, compiled) if compiled is not None else None
            told = () if handed is None else (handed.original, *sorted(map(_spelled, handed.options.items())))
            yield (
                (node_key(called.module.name, called.node), parameter, kind, is_in_place, told),
                replace(
                    called,
                    bindings=bindings,
                    given_in_place=noted,
                    given_compiled={parameter: handed} if handed is not None else {},
                    answers={},
                    depth=0,
                ),
            )


def _spelled(option: tuple[str, ast.expr]) -> str:
    name, value = option
    return f"{name}={ast.unparse(value)}"


def _as_handed(called: Scope, call: ast.Call, compiled: Compiled) -> Compiled:
    """The same, with the name that the function has for what was compiled, if it is handed that, too."""
    own = next(
        (
            parameter_of(call, _positional(called), argument)
            for argument in (*call.args, *(keyword.value for keyword in call.keywords))
            if isinstance(argument, ast.Name) and argument.id == compiled.original
        ),
        None,
    )
    return Compiled(compiled.targets, compiled.kind, compiled.options, own or "")


def _called(inspector: Inspector, scope: Scope, call: ast.Call, known: dict[str, _ByKey]) -> Scope | None:
    """The function of the project that a call runs: of a class its `__init__`, of an object its `__call__`."""
    key: Key | None = None
    match kind_at(scope, call.func):
        case kinds.Function(key=function):
            key = function
        case kinds.ProjectClass() as cls:
            key = classes.find_method(inspector, cls, "__init__")
        case kinds.Instance(cls=cls, module=False):
            key = classes.find_method(inspector, cls, "__call__")
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
    kept = {attr: (kind, compiled) for attr, kind, compiled in _kept(scope)}
    for method in known.get(scope.module.name, {}).values() if kept else ():
        if method.owner is None or method.owner != scope.owner or method.self_name is None or method.node is scope.node:
            continue
        given: dict[str, Kind] = {f"{method.self_name}.{attr}": kind for attr, (kind, _) in kept.items()}
        compiled = {f"{method.self_name}.{attr}": each for attr, (_, each) in kept.items() if each is not None}
        identity = (node_key(method.module.name, method.node), tuple(given.items()), tuple(compiled))
        yield identity, replace(method, given=given, given_compiled=compiled, answers={}, depth=0)


def _kept(scope: Scope) -> Iterator[tuple[str, Kind, Compiled | None]]:
    """The attributes of `self` that get what a parameter is, where that is compiled."""
    for attr, bounds in scope.held.items():
        for owner, bound in bounds:
            if owner != scope.self_name or not isinstance(bound.value, ast.Name):
                continue
            found = scopes.binding_at(scope, bound.value.id, scopes.start_of(bound.value))
            if found is None or found[1].kind is None:
                continue
            handed = scope.given_compiled.get(bound.value.id) if found[1].since == (0, 0) else None
            if handed is not None or scope_kinds.compiled_among(found[1].kind):
                # What was compiled is somebody else's: by what name is not to be seen here.
                yield attr, found[1].kind, handed and Compiled(handed.targets, handed.kind, handed.options)
