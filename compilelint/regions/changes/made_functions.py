"""What a loop puts into the functions that it makes: `step(x, make_act(name))`, `step(x, partial(pool, size=n))`,
`step(x, lambda v, k=k: v * k)`.

Dynamo guards on what such a function closes over, is bound to, or has by default, as on what is given itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind
from compilelint.regions.around.compiled import Target, targets_of
from compilelint.regions.around.comprehended import comprehensions_around
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import FunctionDef, Scope
from compilelint.regions.changes import asking, effects
from compilelint.regions.changes.held_parts import Part
from compilelint.regions.changes.varying import variation
from compilelint.regions.usage import Usage
from compilelint.source.nodes import parameter_of, walk

_PARTIAL = "functools.partial"
_CLOSED_OVER = ("int", "str", "member", "dtype", "function")
"""What is told of the names of a made function; a `float` stays open after its first change."""


class _Made(Struct, frozen=True):
    """A value under the name that it has in a function which is made of it."""

    function: Target
    name: str
    value: ast.expr


def _changing_parts(scope: Scope) -> Iterator[Usage]:
    for drive in drives(scope):
        loops = (*drive.loops, *comprehensions_around(drive.statement, drive.call))
        for argument in (*drive.call.args, *(each.value for each in drive.call.keywords)) if loops else ():
            if not _is_asked(scope, drive, argument):
                continue
            for made in _made(scope, argument):
                found = variation(scope, made.value, loops)
                if found is not None and found.what in _CLOSED_OVER:
                    called = replace(drive, compiled=replace(drive.compiled, targets=(made.function,)))
                    part = Part(argument, made.value, loops=loops, closed_over=made.name)
                    yield from effects.of_change(scope, called, part, found)
            for value in _defaults(scope, argument):
                if not loops[0].lineno <= value.lineno <= (loops[0].end_lineno or 0):
                    continue
                found = variation(scope, value, loops)
                many = found is not None and (found.values is None or found.values >= effects.FEW)
                if many and found is not None and found.what in ("int", "str"):
                    yield Usage("constant-argument", value, "default")


def _is_asked(scope: Scope, drive: Drive, argument: ast.expr) -> bool:
    """Whether what is called does something with a function that it is given."""
    if not isinstance(argument, ast.Call | ast.Lambda | ast.Name):
        return False
    names = ((target, drive.parameter(target, argument)) for target in drive.compiled.targets)
    return any(name is not None and asking.guards(scope, target, name, {}) for target, name in names)


def _made(scope: Scope, argument: ast.expr) -> Iterator[_Made]:
    if not isinstance(argument, ast.Call) or any(isinstance(each, ast.Starred) for each in argument.args):
        return
    maker = kind_at(scope, argument.func)
    if maker == kinds.Reference(_PARTIAL) and argument.args:
        yield from _bound(scope, argument)
    elif isinstance(maker, kinds.Function):
        for target in targets_of(scope, maker):
            for inner in _given_back(target):
                yield from _closed_over(target, inner, argument)


def _bound(scope: Scope, call: ast.Call) -> Iterator[_Made]:
    """What `partial(f, x, k=k)` binds."""
    function, *bound = call.args
    kind: Kind = kind_at(scope, function)
    for target in targets_of(scope, kind) if isinstance(kind, kinds.Function) else ():
        names = target.parameters()
        yield from (_Made(target, name, value) for name, value in zip(names, bound, strict=False))
        yield from (_Made(target, each.arg, each.value) for each in call.keywords if each.arg is not None)


def _given_back(maker: Target) -> Iterator[Target]:
    """The functions in a function that it gives back."""
    if isinstance(maker.node, ast.Lambda):
        return
    inner = {
        part.name: part for part in maker.node.body if isinstance(part, ast.FunctionDef) and not part.decorator_list
    }
    for statement in maker.node.body:
        match statement:
            case ast.Return(value=ast.Lambda() as function):
                yield replace(maker, node=function, receiver=None)
            case ast.Return(value=ast.Name(id=name)) if name in inner:
                yield replace(maker, node=inner[name], receiver=None)


def _closed_over(maker: Target, inner: Target, call: ast.Call) -> Iterator[_Made]:
    """What a call gives to a maker under names that the function in it reads, and that the maker leaves as they are."""
    names = maker.parameters()
    own = {part.arg for part in walk(inner.node.args) if isinstance(part, ast.arg)}
    own |= {part.id for part in walk(maker.node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        name = parameter_of(call, names, argument)
        if name is not None and name not in own:
            yield _Made(inner, name, argument)


def _defaults(scope: Scope, argument: ast.expr) -> Iterator[ast.expr]:
    """What a function that the loop writes out has by default."""
    node: FunctionDef | ast.Lambda | None = argument if isinstance(argument, ast.Lambda) else None
    if isinstance(argument, ast.Name):
        bound = kind_at(scope, argument)
        targets = list(targets_of(scope, bound)) if isinstance(bound, kinds.Function) else []
        within = (each.node for each in targets if each.module is scope.module)
        node = next((each for each in within if isinstance(each, ast.FunctionDef)), None)
    if node is None:
        return
    for value in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(value, ast.Name | ast.BinOp | ast.Subscript | ast.JoinedStr):
            yield value


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_changing_parts,)
"""What is asked of each scope."""
