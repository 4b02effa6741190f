"""What a function's parameters are, as its callers say: `main` calls `fit(model, data)`, and that `step(model, x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members.attributes import bound_method
from compilelint.inspect.members.classes import find_method
from compilelint.regions.around.scope_kinds import iterated, kind_at
from compilelint.regions.around.scopes import FunctionDef, Scope, binding_at, start_of
from compilelint.regions.around.users import calls_by_name, calls_of_objects
from compilelint.source.index import node_key
from compilelint.source.nodes import parameter_of, positional_names

MOST_STEPS = 3
"""From a script's `main` over the training and the epoch to the step."""

_OF_OBJECTS = frozenset({"__call__", "forward"})
"""Methods that run when an object is called."""


def kind_by_callers(scope: Scope, node: ast.expr, steps: int = MOST_STEPS) -> Kind:
    """What an expression stands for; of a parameter, of which nothing else is known, what callers give it, an attribute
    of that, or an item that a loop takes of it."""
    kind = kind_at(scope, node)
    if kind == UNKNOWN and isinstance(node, ast.Attribute):
        owner = kind_by_callers(scope, node.value, steps)
        return UNKNOWN if owner == UNKNOWN else scope.inspector.attribute(owner, node.attr)
    if kind != UNKNOWN or not isinstance(node, ast.Name) or isinstance(scope.node, ast.Module):
        return kind
    found = binding_at(scope, node.id, start_of(node))
    if found is not None and found[1].iterated is not None and found[1].value is not None:
        where = found[0]
        return iterated(found[1].value, found[1].iterated, lambda inner: kind_by_callers(where, inner, steps))
    if not is_parameter(scope, node):
        return UNKNOWN
    return given_by_callers(scope.inspector, scope.module.name, scope.node, node.id, steps)


def given_by_callers(
    inspector: Inspector, file: str, function: FunctionDef, parameter: str, steps: int = MOST_STEPS
) -> Kind:
    """What a parameter of a function is given where it is called, in its file and in those that import it."""
    found = kinds_by_callers(inspector, file, function, parameter, steps)
    return kinds.join(*found) if found else UNKNOWN


def kinds_by_callers(
    inspector: Inspector, file: str, function: FunctionDef, parameter: str, steps: int = MOST_STEPS
) -> list[Kind]:
    """What it is given in each of the calls, but for those of which nothing is known."""
    if not steps:
        return []
    arguments = _arguments_in(_calls_by_name(inspector, file, function), function, parameter)
    given = (kind_by_callers(caller, argument, steps - 1) for caller, argument in arguments)
    return [kind for kind in given if kind != UNKNOWN]


def kinds_in_calls(scope: Scope, nodes: Sequence[ast.expr]) -> Iterator[list[Kind]]:
    """What parameters of a method, and attributes of its object, are in each of the calls of it: one call has its own
    object, and gives it its own arguments."""
    if isinstance(scope.node, ast.Module) or scope.owner is None:
        return
    method, key = scope.node.name, node_key(scope.module.name, scope.node)
    names = positional_names(scope.node.args)[1:]
    for caller, call in calls_by_name(scope.inspector, scope.module.name, method):
        called = kind_at(caller, call.func)
        if isinstance(called, kinds.Function) and called.key == key and called.receiver is not None:
            given = {
                name: kind_by_callers(caller, argument)
                for argument in (*call.args, *(keyword.value for keyword in call.keywords))
                if (name := parameter_of(call, names, argument)) is not None
            }
            yield [_in_call(scope, node, called.receiver, given) for node in nodes]


def _in_call(scope: Scope, node: ast.expr, receiver: Kind, given: Mapping[str, Kind]) -> Kind:
    match node:
        case ast.Name(id=name) if is_parameter(scope, node):
            return given.get(name, UNKNOWN)
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == scope.self_name and attr not in scope.held:
            return scope.inspector.attribute(receiver, attr)
        case _:
            return UNKNOWN


def is_parameter(scope: Scope, node: ast.Name) -> bool:
    """Whether a name is still what the function got."""
    found = binding_at(scope, node.id, start_of(node))
    if found is None:
        return False
    where, bound = found
    return where is scope and bound.value is None and bound.kind is None and bound.since == (0, 0)


def arguments_of_callers(
    inspector: Inspector, file: str, function: FunctionDef, parameter: str
) -> Iterator[tuple[Scope, ast.expr]]:
    """The arguments that go to a parameter of a function where it is called, each with where it stands.

    It is called by its name; what runs when an object is called, by any name that the object has.
    """
    yield from _arguments_in(_calls_by_name(inspector, file, function), function, parameter)
    if function.name in _OF_OBJECTS:
        yield from _arguments_in(_calls_of_objects(inspector, file, function), function, parameter)


_Calls: TypeAlias = Iterator[tuple[Scope, ast.Call, kinds.Function]]


def _arguments_in(calls: _Calls, function: FunctionDef, parameter: str) -> Iterator[tuple[Scope, ast.expr]]:
    names = positional_names(function.args)
    for caller, call, called in calls:
        own = names[1:] if called.receiver is not None else names
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if parameter_of(call, own, argument) == parameter:
                yield caller, argument


def _calls_by_name(inspector: Inspector, file: str, function: FunctionDef) -> _Calls:
    key = node_key(file, function)
    for caller, call in calls_by_name(inspector, file, function.name):
        called = kind_at(caller, call.func)
        if isinstance(called, kinds.Function) and called.key == key:
            yield caller, call, called


def _calls_of_objects(inspector: Inspector, file: str, function: FunctionDef) -> _Calls:
    key = node_key(file, function)
    for caller, call in calls_of_objects(inspector, file, key):
        method = _run_by(inspector, kind_at(caller, call.func), function.name)
        if method is not None and method.key == key:
            yield caller, call, method


def _run_by(inspector: Inspector, kind: Kind, name: str) -> kinds.Function | None:
    """The method that runs when an object is called, if it is called so."""
    if not isinstance(kind, kinds.Instance) or kind.module is not (name == "forward"):
        return None
    method = find_method(inspector, kind.cls, name)
    found = bound_method(inspector, method, kind) if method is not None else None
    return found if isinstance(found, kinds.Function) else None
