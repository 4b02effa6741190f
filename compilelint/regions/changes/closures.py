"""Names of the function around that a compiled function reads, and that are other values in each call of it.

`for name in names: step(x)`, of a `def step(x): return {name: net(x)}` in the same function: Dynamo guards on what a
function closes over as on what it is given. In a script such names are globals (`between_calls.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes import effects, specialising
from compilelint.regions.changes.held_parts import Part
from compilelint.regions.changes.spelled import live_nodes
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage

_TOLD = ("int", "float", "str", "bool", "none", "length")


def _changing_names(scope: Scope) -> Iterator[Usage]:
    if isinstance(scope.node, ast.Module):
        return
    for drive in drives(scope):
        for target in _functions_of(scope, drive) if drive.loops else ():
            called = replace(drive, compiled=replace(drive.compiled, targets=(target,)))
            for name in _names_read(scope, target):
                read = ast.copy_location(ast.Name(name, ast.Load()), drive.call)
                found = variation(scope, read, drive.loops)
                if found is not None and found.what in _TOLD:
                    part = Part(drive.call, read, loops=drive.loops, text=name, closed_over=name)
                    yield from effects.of_change(scope, called, part, found)


def _functions_of(scope: Scope, drive: Drive) -> Iterator[Target]:
    """The functions of this scope that are called, and those that the call hands on: `step(x, lambda t: t ** k)`."""
    targets = list(drive.compiled.targets)
    for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords)):
        if isinstance(argument, ast.Lambda | ast.Name):
            kind = kind_at(scope, argument)
            targets += targets_of(scope, kind) if isinstance(kind, kinds.Function) else ()
    yield from (target for target in targets if _is_within(scope, target))


def _is_within(scope: Scope, target: Target) -> bool:
    """Whether a function is defined in the one whose scope this is."""
    first, last = getattr(scope.node, "lineno", 0), getattr(scope.node, "end_lineno", None) or 0
    return target.module is scope.module and first <= target.node.lineno <= last and target.node is not scope.node


def _names_read(scope: Scope, target: Target) -> Iterator[str]:
    """The names of the scope that a function in it reads, and does not set."""
    own = specialising.local_names(target.node)
    read = (node.id for node in live_nodes(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    yield from (name for name in dict.fromkeys(read) if name in scope.bindings and name not in own)


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changing_names,)
"""What is asked of each scope."""
