"""What tells that a parameter is a tensor, or holds some, where it is handed on: `self._losses(x, labels)`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import Kind
from compilelint.inspect.parameters import first_parameter
from compilelint.source.model import FunctionInfo, FunctionNode
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_NEVER = (sys.maxsize, 0)
_DEEPEST = 2
"""How many calls a parameter is followed through."""


def uses_by_callees(
    inspector: Inspector, function: kinds.Function, names: frozenset[str], depth: int = 0
) -> dict[str, set[str]]:
    """What `usage` says of these parameters in the functions of the project that they are passed to as they are, of
    those that are used as tensors or as containers are; what is passed after a name was bound anew says nothing of the
    parameter."""
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or isinstance(info.node, ast.Lambda):
        return {}
    bound_anew = _bound_anew(info.node)
    found: dict[str, set[str]] = {}
    frame = Frame(inspector, module, info, Route(), _env(info, function.receiver))
    for call in _calls_with(info.node, names):
        kept = frozenset(name for name in names if _position(call) < bound_anew.get(name, _NEVER))
        callee = inspector.evaluate_silently(frame, call.func)
        if not isinstance(callee, kinds.Function):
            continue
        for name, uses in _uses_in(inspector, callee, call, kept, depth).items():
            found.setdefault(name, set()).update(uses)
    return {name: uses for name, uses in found.items() if _tells(uses)}


def _tells(uses: set[str]) -> bool:
    """Whether this is how tensors are used, or what holds them: what else a parameter may be says its own function, or
    nobody."""
    return not uses.isdisjoint({"tensor", "container"}) and "python" not in uses


def _env(info: FunctionInfo, receiver: Kind | None) -> dict[str, Kind]:
    first = first_parameter(info.node)
    return {first: receiver} if first is not None and receiver is not None else {}


def _bound_anew(node: FunctionNode) -> dict[str, tuple[int, int]]:
    """Where a name first means something else: behind the statement that assigns it, as its value is made before."""
    behind = {
        id(name): (statement.end_lineno or statement.lineno, statement.end_col_offset or 0)
        for statement in walk(node)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        for name in walk(target)
    }
    found: dict[str, tuple[int, int]] = {}
    for part in walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            place = behind.get(id(part), _position(part))
            found[part.id] = min(place, found.get(part.id, place))
    return found


def _position(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _calls_with(node: FunctionNode, names: frozenset[str]) -> Iterator[ast.Call]:
    """The calls of what has a name, or is an attribute of something that has one, that are given one of these names."""
    for part in walk(node) if names else ():
        match part:
            case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name())):
                given = (*part.args, *(keyword.value for keyword in part.keywords))
                if any(isinstance(each, ast.Name) and each.id in names for each in given):
                    yield part


def _uses_in(
    inspector: Inspector, callee: kinds.Function, call: ast.Call, names: frozenset[str], depth: int
) -> dict[str, set[str]]:
    """How a callee uses what it is given in a call, by the names that the caller has for it."""
    info = inspector.tree.function(callee.key)
    if info is None:
        return {}
    passed = {
        theirs: ours.id
        for theirs, ours in _bound(info.node, call, is_method=callee.receiver is not None)
        if isinstance(ours, ast.Name) and ours.id in names
    }
    uses = inspector.usage(info)
    silent = frozenset(name for name in passed if not uses.get(name))
    if silent and depth + 1 < _DEEPEST:
        uses = uses | uses_by_callees(inspector, callee, silent, depth + 1)
    return {ours: uses[theirs] for theirs, ours in passed.items() if theirs in uses}


def _bound(node: FunctionNode, call: ast.Call, *, is_method: bool) -> Iterator[tuple[str, ast.expr]]:
    """What a call gives to parameters that are not declared: of others their declarations tell."""
    positional = [*node.args.posonlyargs, *node.args.args][1 if is_method else 0 :]
    open_names = {arg.arg for arg in (*positional, *node.args.kwonlyargs) if arg.annotation is None}
    given = [(arg.arg, each) for arg, each in zip(positional, call.args, strict=False)]
    starred = next((place for place, (_, each) in enumerate(given) if isinstance(each, ast.Starred)), len(given))
    named = [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None]
    yield from ((name, each) for name, each in (*given[:starred], *named) if name in open_names)
