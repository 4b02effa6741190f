"""Arguments of compiled calls that are other values in each iteration of the loop around the call, or around a call of
the function that makes it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from compilelint.inspect.kinds import Kind
from compilelint.regions.around.comprehended import comprehensions_around
from compilelint.regions.around.driving import Drive, Loop, Target, drives
from compilelint.regions.around.given_tensors import arguments_of, tensors_given
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes import int_uses, specialising
from compilelint.regions.changes.between_functions import is_next_parameter_by_calls, variation_by_calls
from compilelint.regions.changes.float_uses import constant_float_use
from compilelint.regions.changes.given_parameters import is_next_parameter
from compilelint.regions.changes.number_texts import number_text
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import is_kept, variation
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

FEW = 4
"""Fewer values than this are compiled once each, and then there is peace."""


def _changing_arguments(scope: Scope) -> Iterator[Usage]:
    for drive in drives(scope):
        loops = (*drive.loops, *comprehensions_around(drive.statement, drive.call))
        for node in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
            if _is_next_parameter(scope, node, loops) and not drive.compiled.has("dynamic", False):
                yield from _parameter(drive, node)
            elif loops and (found := variation(scope, node, loops)) is not None:
                usages = _of_argument(scope, drive, node, found)
                yield from _less_sure(usages) if found.read else usages
            elif loops and is_kept(scope, node, loops):
                yield from _where(drive, node, specialising.grows, "length-of-argument")
            elif (found := variation_by_calls(scope, node)) is not None:
                yield from _less_sure(_of_argument(scope, drive, node, found))


def _less_sure(usages: Iterable[Usage]) -> Iterator[Usage]:
    yield from (replace(usage, confidence=Confidence.MEDIUM) for usage in usages)


def _is_next_parameter(scope: Scope, node: ast.expr, loops: tuple[Loop, ...]) -> bool:
    return is_next_parameter(scope, node, loops) if loops else is_next_parameter_by_calls(scope, node)


def _of_argument(scope: Scope, drive: Drive, node: ast.expr, found: Variation) -> Iterator[Usage]:
    """What the change of one argument means for the functions that are called."""
    many = found.values is None or found.values >= FEW
    if many and drive.compiled.has("dynamic", False) and found.what in ("int", "float", "shape"):
        static = f"dynamic=False ({found.what})"
        if found.what == "shape":
            yield Usage("static-argument", node, static)
        else:
            yield from _where(drive, node, specialising.reads, "static-argument", static)
        return
    if found.what in ("none", "bool"):
        yield from _where(drive, node, specialising.reads, f"{found.what}-argument")
        if not isinstance(node, ast.Starred):
            yield from _where_swallowed(drive, node, f"{found.what}-argument")
    if not many or (drive.compiled.has("dynamic", True) and found.what == "shape"):
        return
    match found.what:
        case "int":
            given = _given(scope, drive)
            uses = list(
                _where(
                    drive,
                    node,
                    lambda target, name: int_uses.constant_int_use(scope, target, name, given(target)),
                    "int-argument",
                )
            )
            yield from uses
            if all(use.callee in int_uses.TEXTS for use in uses):
                yield from _texts(scope, drive, node)
        case "float":
            uses = list(
                _where(
                    drive,
                    node,
                    lambda target, name: constant_float_use(scope, target, name, _tensors(scope, drive, target)),
                    "float-argument",
                )
            )
            yield from uses or _texts(scope, drive, node)
        case "str":
            yield from _where(drive, node, specialising.reads_as_given, "str-argument")
        case "length" if isinstance(node, ast.Starred):
            yield Usage("length-of-argument", node)
        case "length":
            yield from _where(drive, node, specialising.reads, "length-of-argument")
        case "keys":
            yield from _where(drive, node, specialising.looks_at_keys, "keys-of-argument")


def _parameter(drive: Drive, node: ast.expr) -> Iterator[Usage]:
    """That a loop gives its parameters to a function that looks at them: how many shapes they have, nobody knows."""
    yield from _less_sure(_where(drive, node, specialising.reads, "parameter-argument"))


def _texts(scope: Scope, drive: Drive, node: ast.expr) -> Iterator[Usage]:
    """Where the functions that are called put a number into text, which stays open until then."""
    for target in drive.compiled.targets:
        name = drive.parameter(target, node)
        use = number_text(scope, target, name) if name is not None else None
        if use is not None:
            sure = Confidence.HIGH if len(drive.compiled.targets) == 1 else Confidence.MEDIUM
            yield Usage(
                "number-in-text",
                use.node,
                use.word,
                confidence=sure,
                function=use.function,
                module=use.target.module,
            )


def _where(
    drive: Drive,
    node: ast.expr,
    used: Callable[[Target, str], bool | specialising.Use | None],
    construct: str,
    callee: str = "",
) -> Iterator[Usage]:
    """What is said of an argument whose parameter is used in some way, which may be named.

    Where several functions may be what is called, and not all do, it is only so for some.
    """
    names = ((target, drive.parameter(target, node)) for target in drive.compiled.targets)
    uses = [used(target, name) if name is not None else None for target, name in names]
    if any(uses):
        first = next(filter(None, uses))
        sure = Confidence.HIGH if all(uses) else Confidence.MEDIUM
        if isinstance(first, specialising.Use):
            yield Usage(construct, node, first.word, confidence=sure, use=first.source, used_in=first.function)
        else:
            yield Usage(construct, node, callee, confidence=sure)


def _where_swallowed(drive: Drive, node: ast.expr, construct: str) -> Iterator[Usage]:
    """The same of an argument that `*args` or `**kwargs` take, if they are read. Whether it is among what is read of
    them, nobody knows."""
    names = ((target, drive.swallowed_by(target, node)) for target in drive.compiled.targets)
    if any(name is not None and specialising.reads(target, name) for target, name in names):
        yield Usage(construct, node, confidence=Confidence.MEDIUM)


def _given(scope: Scope, drive: Drive) -> Callable[[Target], dict[str, Kind]]:
    def kinds_for(target: Target) -> dict[str, Kind]:
        arguments = (*drive.call.args, *(keyword.value for keyword in drive.call.keywords))
        named = ((drive.parameter(target, argument), argument) for argument in arguments)
        return {name: kind_at(scope, argument) for name, argument in named if name is not None}

    return kinds_for


def _tensors(scope: Scope, drive: Drive, target: Target) -> dict[str, Kind]:
    return dict(tensors_given(arguments_of(scope, drive.call, target.parameters())))


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changing_arguments,)
