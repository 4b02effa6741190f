"""The models, functions and other objects that calls give to what a file compiles: `step(agent, loss_fn, batch)`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import Kind
from compilelint.inspect.objects import is_object
from compilelint.regions.callers import kind_by_callers
from compilelint.regions.driving import drives
from compilelint.regions.scope_kinds import is_compiled
from compilelint.regions.scopes import scopes
from compilelint.regions.users import users
from compilelint.source.index import node_key
from compilelint.source.model import Key, ModuleIndex


def objects_given(
    inspector: Inspector, module: ModuleIndex, functions: Collection[kinds.Function]
) -> dict[Key, tuple[tuple[str, Kind], ...]]:
    """By function the parameters that get a function, a module or an object of the project, with what it is: of all
    else the function's own body tells more."""
    found: dict[Key, dict[str, Kind]] = {}
    names = {function.name.rpartition(".")[2] for function in functions}
    given = (each for user in users(inspector, module.name, names) for each in _given(inspector, user))
    for key, parameter, kind in given:
        of_function = found.setdefault(key, {})
        of_function[parameter] = kinds.join(kind, of_function.get(parameter, kind))
    return {key: tuple(given.items()) for key, given in found.items()}


def _given(inspector: Inspector, module: ModuleIndex) -> Iterator[tuple[Key, str, Kind]]:
    for scope in scopes(inspector, module):
        for drive in drives(scope):
            for target in drive.compiled.targets:
                key = node_key(target.module.name, target.node)
                for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
                    kind, parameter = kind_by_callers(scope, argument), drive.parameter(target, argument)
                    if is_compiled(kind) and isinstance(kind, kinds.External):
                        kind = kind.args[0]  # a compiled module in what is compiled is the module
                    if parameter is not None and is_object(kind):
                        yield key, parameter, kind
