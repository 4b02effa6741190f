"""Objects that a loop hands to what is compiled in each iteration, and that were made before it: `model(x, state)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.inspector import Inspector
from compilelint.regions.around.driving import Drive, drives
from compilelint.regions.around.scope_kinds import kind_at
from compilelint.regions.around.scopes import Scope, scopes
from compilelint.source.index import node_key
from compilelint.source.model import Key
from compilelint.source.nodes import walk


def kept_by_loops(inspector: Inspector, function: kinds.Function, name: str) -> frozenset[Key]:
    """The classes of the objects that a file keeps for all calls of a function that it compiles."""
    module = inspector.tree.module(name)
    if module is None:
        return frozenset()
    return frozenset(
        kind.cls.key
        for scope in scopes(inspector, module)
        for drive in drives(scope)
        if drive.loops and _runs(drive, function)
        for argument in (*drive.call.args, *(keyword.value for keyword in drive.call.keywords))
        for kind in _kept(scope, argument, drive)
    )


def _runs(drive: Drive, function: kinds.Function) -> bool:
    return any(node_key(target.module.name, target.node) == function.key for target in drive.compiled.targets)


def _kept(scope: Scope, argument: ast.expr, drive: Drive) -> Iterator[kinds.Instance]:
    """What a name holds with which the loop does nothing else: `state.reset()` may make it what it was."""
    if not isinstance(argument, ast.Name):
        return
    if any(node is not drive.call and _may_change(node, argument.id) for node in walk(drive.loops[-1])):
        return
    for kind in kinds.options(kind_at(scope, argument)):
        if isinstance(kind, kinds.Instance) and not kind.module:
            yield kind


def _may_change(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.Call(func=called, args=args, keywords=keywords):
            given = (*args, *(keyword.value for keyword in keywords))
            is_method = isinstance(called, ast.Attribute) and _begins_with(called, name)
            return is_method or any(isinstance(each, ast.Name) and each.id == name for each in given)
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return _begins_with(node, name)
        case _:
            return False


def _begins_with(node: ast.expr, name: str) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name) and node.id == name
