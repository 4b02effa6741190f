"""What calls give to what a file compiles: models, functions and other objects, `step(agent, loss_fn, batch)`, and
tensors, `model(x, torch.tensor(3))`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.members.objects import is_object
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.driving import Drive, Target, drives
from compilelint.regions.around.given_tensors import NUMBERS, arguments_of, sure_tensors, tensors_given
from compilelint.regions.around.scope_kinds import is_compiled
from compilelint.regions.around.scopes import Scope, scopes
from compilelint.regions.around.users import users
from compilelint.source.index import node_key
from compilelint.source.model import Key, ModuleIndex


def given_by_calls(
    inspector: Inspector, module: ModuleIndex, functions: Sequence[kinds.Function]
) -> dict[Key, tuple[tuple[str, Kind], ...]]:
    """By function the parameters that get a function, a module or an object of the project, a tensor or a number, with
    what it is: of all else the function's own body tells more, and of tensors and numbers where they are declared."""
    taking_objects = [function for function in functions if _may_be_given_objects(function)]
    undeclared = {function.key: _undeclared(inspector, function) for function in functions}
    numbers = {function.key: _declared_numbers(inspector, function) for function in functions}
    found: dict[Key, dict[str, Kind]] = {}
    for scope, drive, target in _calls(inspector, module, taking_objects):
        key = node_key(target.module.name, target.node)
        wanted, refused = undeclared.get(key, ()), numbers.get(key, ())
        arguments = arguments_of(scope, drive.call, target.parameters()) if wanted or refused else ()
        given = [(name, kind) for name, kind in tensors_given(arguments) if name in wanted]
        given += ((name, kind) for name, kind in sure_tensors(arguments) if name in refused)
        if any(function.key == key for function in taking_objects):
            given += _objects_given(scope, drive, target)
        of_function = found.setdefault(key, {})
        for parameter, kind in given:
            of_function[parameter] = kinds.join(kind, of_function.get(parameter, kind))
    return {key: tuple(_told(given)) for key, given in found.items()}


def _told(given: Mapping[str, Kind]) -> Iterator[tuple[str, Kind]]:
    """What is known of parameters; those that one call gives a number, and another a tensor, get tensors."""
    for parameter, kind in given.items():
        rest = [option for option in kinds.options(kind) if option not in NUMBERS]
        yield parameter, kinds.join(*rest) if rest else kind


def _may_be_given_objects(function: kinds.Function) -> bool:
    """A function may, a model's `forward` gets none."""
    return not isinstance(function.receiver, kinds.Instance) or not function.receiver.module


def _undeclared(inspector: Inspector, function: kinds.Function) -> Collection[str]:
    """The parameters of which neither an annotation nor a default tells what they are."""
    return {name for name, kind in inspector.declared(function).items() if kind in (UNKNOWN, NONE)}


def _declared_numbers(inspector: Inspector, function: kinds.Function) -> Collection[str]:
    """The parameters that are declared to be numbers: `scale: float`, of which a script may make a tensor all the same,
    so that other values compile nothing anew."""
    return {name for name, kind in inspector.declared(function).items() if kinds.widen(kind) in NUMBERS}


def _calls(
    inspector: Inspector, module: ModuleIndex, functions: Sequence[kinds.Function]
) -> Iterator[tuple[Scope, Drive, Target]]:
    """Each call of something compiled in the file, with each function that it runs; of these functions, also in the
    files that call them by their names."""
    names = {function.name.rpartition(".")[2] for function in functions}
    for user in users(inspector, module.name, names) if names else (module,):
        for scope in scopes(inspector, user):
            yield from ((scope, drive, target) for drive in drives(scope) for target in drive.compiled.targets)


def _objects_given(scope: Scope, drive: Drive, target: Target) -> Iterator[tuple[str, Kind]]:
    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
        kind, parameter = kind_by_callers(scope, argument), drive.parameter(target, argument)
        if is_compiled(kind) and isinstance(kind, kinds.External):
            kind = kind.args[0]  # a compiled module in what is compiled is the module
        # Of several, as of a loop over solvers that are compared, each is given.
        if parameter is not None and all(map(is_object, kinds.options(kind))):
            yield parameter, kind
