"""Arguments of compiled calls that are other values in each iteration of the loop around the call, or around a call of
the function that makes it; and what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compilelint.regions.around.comprehended import comprehensions_around
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes import effects
from compilelint.regions.changes.between_functions import is_next_parameter_by_calls, variation_by_calls
from compilelint.regions.changes.given_parameters import is_next_parameter
from compilelint.regions.changes.growing import is_kept
from compilelint.regions.changes.held_parts import Part, parts_of
from compilelint.regions.changes.reached import reached
from compilelint.regions.changes.steps import moves_on
from compilelint.regions.changes.variations import Variation
from compilelint.regions.changes.varying import first_size_varies, variation
from compilelint.regions.usage import Usage

_TOLD_OF_HELD = ("int", "float", "str", "bool", "none", "member", "dtype", "function")


def _changing_arguments(scope: Scope) -> Iterator[Usage]:
    for drive in drives(scope):
        loops = (*drive.loops, *comprehensions_around(drive.statement, drive.call))
        for node in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
            yield from _of_part(scope, drive, Part(node, node, loops=loops))
        for part in parts_of(scope, drive, loops):
            yield from _of_part(scope, drive, part)


def _of_part(scope: Scope, drive: Drive, part: Part) -> Iterator[Usage]:
    """What is said of an argument, or of something in one."""
    if _is_next_parameter(scope, part):
        yield from effects.of_parameter(scope, drive, part)
        return
    found = _variation(scope, part)
    if not part.path and (found is None or found.what == "shape"):
        rows = first_size_varies(scope, part.value, part.loops)
        yield from effects.of_rows(scope, drive, part, rows) if rows is not None else ()
    if found is not None:
        found = reached(drive.statement, part.loops, part.value, found)
        if found.values == 1:
            return
        if not part.path or found.what in _TOLD_OF_HELD:
            usages = effects.of_change(scope, drive, part, found)
            yield from usages if part.loops else effects.less_sure(usages)
    elif not part.path and is_kept(scope, part.value, part.loops):
        yield from effects.of_kept_list(drive, part)
    elif part.moved is None and (found := variation_by_calls(scope, part.value)) is not None:
        yield from effects.less_sure(effects.of_change(scope, drive, part, found))


def _variation(scope: Scope, part: Part) -> Variation | None:
    """What the loops around change about it, or each call of the function, of what it moves on."""
    if part.moved is not None:
        return moves_on(scope, part.moved, part.value)
    return variation(scope, part.value, part.loops) if part.loops else None


def _is_next_parameter(scope: Scope, part: Part) -> bool:
    if part.loops:
        return is_next_parameter(scope, part.value, part.loops)
    return is_next_parameter_by_calls(scope, part.value)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changing_arguments,)
