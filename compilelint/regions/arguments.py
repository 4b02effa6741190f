"""Arguments of compiled calls that are other values in each iteration of the loop around the call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect.kinds import Kind
from compilelint.regions import specialising
from compilelint.regions.driving import Drive, Target, drives
from compilelint.regions.float_uses import constant_float_use
from compilelint.regions.scope_kinds import kind_at
from compilelint.regions.scopes import Scope
from compilelint.regions.usage import Usage
from compilelint.regions.varying import Variation, is_kept, variation

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
            elif _any(drive, node, specialising.grows) and is_kept(scope, node, drive.loops):
                yield Usage("length-of-argument", node)


def _of_argument(scope: Scope, drive: Drive, node: ast.expr, found: Variation) -> Iterator[Usage]:
    """What the change of one argument means for the functions that are called."""
    many = found.values is None or found.values >= FEW
    if many and drive.compiled.has("dynamic", False) and found.what in ("int", "float", "shape"):
        if found.what == "shape" or _any(drive, node, specialising.reads):
            yield Usage("static-argument", node, f"dynamic=False ({found.what})")
        return
    if found.what in ("none", "bool") and _any(drive, node, specialising.reads):
        yield Usage(f"{found.what}-argument", node)
    if not many or (drive.compiled.has("dynamic", True) and found.what == "shape"):
        return
    match found.what:
        case "int":
            given = _given(scope, drive)
            for target in drive.compiled.targets:
                name = drive.parameter(target, node)
                use = specialising.constant_use(scope, target, name, given(target)) if name else None
                if use is not None:
                    yield Usage("int-argument", node, use)
                    return
        case "float":
            for target in drive.compiled.targets:
                name = drive.parameter(target, node)
                use = constant_float_use(scope, target, name) if name else None
                if use is not None:
                    yield Usage("float-argument", node, use)
                    return
        case "str" if _any(drive, node, specialising.reads):
            yield Usage("str-argument", node)
        case "length" if isinstance(node, ast.Starred) or _any(drive, node, specialising.reads):
            yield Usage("length-of-argument", node)
        case "keys" if _any(drive, node, specialising.looks_at_keys):
            yield Usage("keys-of-argument", node)


def _any(drive: Drive, node: ast.expr, holds: Callable[[Target, str], bool]) -> bool:
    """Whether something holds of the parameter that an argument goes to, in any of the functions called."""
    return any(
        (name := drive.parameter(target, node)) is not None and holds(target, name) for target in drive.compiled.targets
    )


def _given(scope: Scope, drive: Drive) -> Callable[[Target], dict[str, Kind]]:
    def kinds_for(target: Target) -> dict[str, Kind]:
        arguments = (*drive.call.args, *(keyword.value for keyword in drive.call.keywords))
        named = ((drive.parameter(target, argument), argument) for argument in arguments)
        return {name: kind_at(scope, argument) for name, argument in named if name is not None}

    return kinds_for


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changing_arguments,)
