"""Arguments of compiled calls that are other values in each iteration of the loop around the call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Kind
from compilelint.regions.around.driving import Drive, Target, drives
from compilelint.regions.around.given_tensors import arguments_of, tensors_given
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes import int_uses, specialising
from compilelint.regions.changes.float_uses import constant_float_use
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import is_kept, variation
from compilelint.regions.usage import Usage
from compilelint.report.confidence import Confidence

FEW = 4
"""Fewer values than this are compiled once each, and then there is peace."""


def _changing_arguments(scope: Scope) -> Iterator[Usage]:
    for drive in drives(scope):
        if not drive.loops:
            continue
        for node in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
            found = variation(scope, node, drive.loops)
            if found is not None:
                yield from _of_argument(scope, drive, node, found)
            elif is_kept(scope, node, drive.loops):
                yield from _where(drive, node, specialising.grows, "length-of-argument")


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
            yield from _where(
                drive,
                node,
                lambda target, name: int_uses.constant_int_use(scope, target, name, given(target)),
                "int-argument",
            )
        case "float":
            yield from _where(
                drive,
                node,
                lambda target, name: constant_float_use(scope, target, name, _tensors(scope, drive, target)),
                "float-argument",
            )
        case "str":
            yield from _where(drive, node, specialising.reads_as_given, "str-argument")
        case "length" if isinstance(node, ast.Starred):
            yield Usage("length-of-argument", node)
        case "length":
            yield from _where(drive, node, specialising.reads, "length-of-argument")
        case "keys":
            yield from _where(drive, node, specialising.looks_at_keys, "keys-of-argument")


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
