"""What values around a region are computed of: which part of what which compiled call gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from compilelint.regions.around import scopes
from compilelint.regions.around.compiled import Compiled, compiled_callable
from compilelint.regions.around.scopes import Scope

_DETACHES = frozenset({"detach", "item", "tolist", "numpy"})
_WITHOUT_AUTOGRAD = frozenset({"eager", "eager_noexcept", "eager_debug"})
"""Backends that run the graph as it is, and leave the backward to autograd."""


class Part(Struct, frozen=True):
    """A part of what a compiled call gave."""

    call: ast.Call
    path: tuple[int | str, ...] = ()
    """The way to it, by items and attributes; () for the whole."""

    def is_beside(self, other: Part) -> bool:
        """Whether both are parts of one result, and neither holds the other, nor may be the other."""
        for own, others in zip(self.path, other.path, strict=False):
            if own != others:
                return self.call is other.call and _can_be_told_apart(own, others)
        return False


def _can_be_told_apart(one: int | str, other: int | str) -> bool:
    """`out[0]` and `out.loss` may be the same, and so may `out[1]` and `out[-1]`."""
    if isinstance(one, int) and isinstance(other, int):
        return (one < 0) == (other < 0)
    return isinstance(one, str) and isinstance(other, str)


def parts(scope: Scope, node: ast.AST, passed: tuple[str, ...] = ()) -> Iterator[Part]:
    """The parts of compiled calls' results that a value is computed of, with a history, as far as the scope's own names
    lead; beyond those in `passed` nothing is looked for."""
    return _parts(scope, node, passed, set())


def _parts(scope: Scope, node: ast.AST, passed: tuple[str, ...], seen: set[ast.expr]) -> Iterator[Part]:
    """`seen` is what names were bound to that the value was found to be computed of: once is enough of each."""
    own = part_of(scope, node, passed)
    if own is not None:
        yield own
        return
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name not in passed:
            found = _bound(scope, node)
            if found is not None and found[0] not in seen:
                seen.add(found[0])
                yield from _parts(scope, found[0], (*passed, name), seen)
        case _ if not is_detached(node):
            for child in ast.iter_child_nodes(node):
                yield from _parts(scope, child, passed, seen)


def part_of(scope: Scope, node: ast.AST, passed: tuple[str, ...] = ()) -> Part | None:
    """The part of a compiled call's result that an expression names: `out`, `out[0]`, `out.logits`, `critic(x)`."""
    match node:
        case ast.Call(func=func):
            compiled = compiled_callable(scope, func)
            return Part(node) if compiled is not None and not leaves_autograd_alone(compiled) else None
        case ast.Name(id=name, ctx=ast.Load()) if name not in passed:
            found = _bound(scope, node)
            return _further(part_of(scope, found[0], (*passed, name)), found[1]) if found is not None else None
        case ast.Attribute(value=owner, attr=attr):
            return _further(part_of(scope, owner, passed), (attr,))
        case ast.Subscript(value=owner, slice=ast.Constant(value=int() | str() as key)):
            return _further(part_of(scope, owner, passed), (key,))
        case _:
            return None


def is_detached(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _DETACHES
        case _:
            return False


def _bound(scope: Scope, node: ast.Name) -> tuple[ast.expr, tuple[int, ...]] | None:
    """What the scope itself bound a name to, and which of its items."""
    found = scopes.binding_at(scope, node.id, scopes.start_of(node))
    if found is None or found[0] is not scope or found[1].iterated is not None:
        return None
    return (found[1].value, ()) if found[1].value is not None else found[1].unpacked


def _further(part: Part | None, steps: tuple[int | str, ...]) -> Part | None:
    return Part(part.call, (*part.path, *steps)) if part is not None else None


def leaves_autograd_alone(compiled: Compiled) -> bool:
    """Whether it is compiled by a backend that does."""
    match compiled.options.get("backend"):
        case ast.Constant(value=name):
            return name in _WITHOUT_AUTOGRAD
        case _:
            return False
