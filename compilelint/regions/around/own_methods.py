"""What a method does by other methods of its class, one step from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.members.own_calls import called_on_self
from compilelint.source.index import blocks
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk


def with_own_methods(inspector: Inspector, info: FunctionInfo) -> Iterator[FunctionInfo]:
    """A function, and the methods of its own class that it calls on `self`."""
    yield info
    owner = inspector.tree.class_(info.owner) if info.owner is not None else None
    if owner is None:
        return
    for name in sorted(owner.methods.keys() & called_on_self(inspector, info)):
        method = inspector.tree.function(owner.methods[name])
        if method is not None:
            yield method


def calls_by_attribute(info: FunctionInfo) -> Iterator[ast.Attribute]:
    """What stands before the brackets of each call of the form `a.b(…)` in a function."""
    for node in walk(info.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func


def calls_unasked(body: Sequence[ast.stmt], attribute: str) -> bool:
    """Whether statements call `a.attribute(…)` whatever they were asked to do: not only where an `if` holds."""
    for statement in body:
        inner = list(blocks(statement))
        match statement:
            case ast.If(orelse=orelse):
                found = bool(orelse) and all(calls_unasked(block, attribute) for block in inner)
            case _ if inner:
                found = any(calls_unasked(block, attribute) for block in inner)
            case _:
                found = any(
                    isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == attribute
                    for node in walk(statement)
                )
        if found:
            return True
    return False
