"""What calls give to what a file compiles: models, functions and other objects, `step(agent, loss_fn, batch)`, and
tensors, `model(x, torch.tensor(3))`."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import structs

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.kinds import NONE, UNKNOWN, Kind
from compilelint.inspect.members.objects import is_object
from compilelint.regions.around.callers import kind_by_callers
from compilelint.regions.around.compiled import Target
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.given_tensors import (
    NUMBERS,
    Arguments,
    argument_at,
    arguments_of,
    iterators_given,
    sure_tensors,
    tensors_given,
)
from compilelint.regions.around.scope_kinds import is_compiled
from compilelint.regions.around.scopes import Position, Scope, scopes, start_of
from compilelint.regions.around.users import users
from compilelint.report.confidence import Confidence
from compilelint.source.index import node_key
from compilelint.source.model import Key, ModuleIndex

_Places = dict[tuple[Key, str], set[Position]]
"""Where a function's parameter gets a tensor that has a known number of dimensions, or a tensor or object for sure."""


def given_by_calls(
    inspector: Inspector,
    module: ModuleIndex,
    functions: Sequence[kinds.Function],
    calls: Mapping[Key, Collection[ast.Call]],
) -> dict[Key, tuple[tuple[str, Kind], ...]]:
    """By function the parameters that get a function, a module or an object of the project, a tensor or a number, with
    what it is: of all else the function's own body tells more, and of tensors and numbers where they are declared.

    `calls` are all calls of those of which all are known: of how many dimensions their tensors are counts then.
    """
    taking_objects = [function for function in functions if _may_be_given_objects(function)]
    declared = {function.key: inspector.declared(function) for function in functions}
    found: dict[Key, dict[str, Kind]] = {}
    places: _Places = {}
    sure: _Places = {}
    for scope, drive, target in _calls(inspector, module, taking_objects):
        key = node_key(target.module.name, target.node)
        arguments = arguments_of(scope, drive.call, target.parameters()) if declared.get(key) else ()
        given = list(_as_declared(declared.get(key, {}), arguments))
        if any(function.key == key for function in taking_objects):
            given += _objects_given(scope, drive, target)
        of_function = found.setdefault(key, {})
        objects = [(name, kind) for name, kind in given if isinstance(kind, kinds.Instance)]
        for parameter, _ in (*sure_tensors(arguments), *objects):
            sure.setdefault((key, parameter), set()).add(start_of(drive.call))
        for parameter, kind in given:
            of_function[parameter] = kinds.join(kind, of_function.get(parameter, kind))
            if isinstance(kind, kinds.Tensor) and kind.ndim is not None:
                places.setdefault((key, parameter), set()).add(start_of(drive.call))
    all_calls = {key: {start_of(call) for call in calls.get(key, ())} for key in found}
    for (key, parameter), where in places.items():
        if not _are_all(all_calls[key], where):
            found[key][parameter] = _whoever_calls(found[key][parameter])
    for (key, parameter), where in sure.items():
        is_always = _are_all(all_calls[key], where)
        match found[key].get(parameter):
            case kinds.Tensor() as tensor if is_always:
                found[key][parameter] = structs.replace(tensor, confidence=Confidence.HIGH)
            case kinds.Instance(settled=(_, *_)) as made if not is_always:
                found[key][parameter] = structs.replace(made, settled=())
    return {key: tuple(_told(given)) for key, given in found.items()}


def _are_all(known: set[Position], where: set[Position]) -> bool:
    """Whether all calls are known, and these are all of them."""
    return bool(known) and known <= where


def _as_declared(declared: Mapping[str, Kind], arguments: Arguments) -> Iterator[tuple[str, Kind]]:
    """What a call gives to parameters of which neither annotation nor default tells what they are; tensors in place
    of numbers (`scale: float`), as a script may make them, so that other values compile nothing anew; of how many
    dimensions declared tensors are, and whether they are sparse; and iterators, whatever is declared: nobody runs
    annotations."""
    for name, kind in tensors_given(arguments):
        known = declared.get(name)
        if known in (UNKNOWN, NONE):
            yield name, kind
        elif isinstance(known, kinds.Tensor) and isinstance(kind, kinds.Tensor):
            yield name, structs.replace(known, ndim=kind.ndim, sparse=kind.sparse)
    for name, kind in iterators_given(arguments):
        known = declared.get(name)
        holds = kinds.element(known) if isinstance(known, kinds.Sequence) else UNKNOWN
        yield name, structs.replace(kind, item=holds) if kind.items is None and kind.item == UNKNOWN else kind
    for name, kind in sure_tensors(arguments):
        if kinds.widen(declared.get(name, UNKNOWN)) in NUMBERS:
            yield name, kind


def _whoever_calls(kind: Kind) -> Kind:
    """What a parameter gets, where others may call with more or fewer dimensions; one number stays one."""
    return kind if isinstance(kind, kinds.Tensor) and kind.ndim == 0 else kinds.of_any_rank(kind)


def _told(given: Mapping[str, Kind]) -> Iterator[tuple[str, Kind]]:
    """What is known of parameters; those that one call gives a number, and another a tensor, get tensors."""
    for parameter, kind in given.items():
        rest = [option for option in kinds.options(kind) if option not in NUMBERS]
        yield parameter, kinds.join(*rest) if rest else kind


def _may_be_given_objects(function: kinds.Function) -> bool:
    """A function may, a model's `forward` gets none."""
    return not isinstance(function.receiver, kinds.Instance) or not function.receiver.module


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
    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords if keyword.arg is not None)):
        kind, parameter = kind_by_callers(scope, argument), drive.parameter(target, argument)
        if is_compiled(kind) and isinstance(kind, kinds.External):
            kind = kind.args[0]  # a compiled module in what is compiled is the module
        # Of several, as of a loop over solvers that are compared, each is given.
        if parameter is not None and all(map(is_object, kinds.options(kind))):
            yield parameter, kind
    yield from _objects_by_name(scope, drive, target)


def _objects_by_name(scope: Scope, drive: Drive, target: Target) -> Iterator[tuple[str, Kind]]:
    """The same of a dict of arguments that somebody made: `render(rays, **options)`."""
    names = {*target.parameters(), *(arg.arg for arg in target.node.args.kwonlyargs)}
    for keyword in drive.call.keywords:
        options = argument_at(scope, keyword.value) if keyword.arg is None else UNKNOWN
        if isinstance(options, kinds.Dictionary):
            for name, kind in options.entries:
                if isinstance(name, str) and name in names and all(map(is_object, kinds.options(kind))):
                    yield name, kind
