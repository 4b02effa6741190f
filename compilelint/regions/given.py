"""What calls give to what a file compiles: models, functions and other objects, `step(agent, loss_fn, batch)`, and
tensors, `model(x, torch.tensor(3))`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.objects import is_object
from compilelint.regions.callers import kind_by_callers
from compilelint.regions.driving import drives
from compilelint.regions.given_tensors import tensor_given
from compilelint.regions.scope_kinds import is_compiled
from compilelint.regions.scopes import Scope, scopes
from compilelint.regions.users import users
from compilelint.source.index import node_key
from compilelint.source.model import Key, ModuleIndex


def given_by_calls(
    inspector: Inspector, module: ModuleIndex, functions: Sequence[kinds.Function]
) -> dict[Key, tuple[tuple[str, Kind], ...]]:
    """By function the parameters that get a function, a module or an object of the project, or a tensor, with what it
    is: of all else the function's own body tells more, and of tensors where they are declared."""
    taking_objects = {function.key: function for function in functions if _may_be_given_objects(function)}
    undeclared = {function.key: _undeclared(inspector, function) for function in functions}
    found: dict[Key, dict[str, Kind]] = {}
    for scope, key, argument, parameter in _arguments(inspector, module, list(taking_objects.values())):
        kind = _object_given(scope, argument) if key in taking_objects else None
        if kind is None and parameter in undeclared.get(key, ()):
            kind = tensor_given(scope, argument)
        if kind is not None:
            of_function = found.setdefault(key, {})
            of_function[parameter] = kinds.join(kind, of_function.get(parameter, kind))
    return {key: tuple(given.items()) for key, given in found.items()}


def _may_be_given_objects(function: kinds.Function) -> bool:
    """A function may, a model's `forward` gets none."""
    return not isinstance(function.receiver, kinds.Instance) or not function.receiver.module


def _undeclared(inspector: Inspector, function: kinds.Function) -> Collection[str]:
    """The parameters of which neither an annotation nor a default tells what they are."""
    return {name for name, kind in inspector.declared(function).items() if kind in (UNKNOWN, NONE)}


def _arguments(
    inspector: Inspector, module: ModuleIndex, functions: Sequence[kinds.Function]
) -> Iterator[tuple[Scope, Key, ast.expr, str]]:
    """Each argument of a call of something compiled, with the function and the parameter that it goes to.

    What the file compiles may be called in others by the names of its functions.
    """
    names = {function.name.rpartition(".")[2] for function in functions}
    for user in users(inspector, module.name, names) if names else (module,):
        for scope in scopes(inspector, user):
            for drive in drives(scope):
                for target in drive.compiled.targets:
                    key = node_key(target.module.name, target.node)
                    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
                        parameter = drive.parameter(target, argument)
                        if parameter is not None:
                            yield scope, key, argument, parameter


def _object_given(scope: Scope, argument: ast.expr) -> Kind | None:
    kind = kind_by_callers(scope, argument)
    if is_compiled(kind) and isinstance(kind, kinds.External):
        kind = kind.args[0]  # a compiled module in what is compiled is the module
    return kind if is_object(kind) else None
