"""What tells that a parameter is a tensor, or holds some, where it is handed on: `self._losses(x, labels)`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.arguments.usage import head_of, item_path, may_hold
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.kinds import Kind
from compilelint.source.model import FunctionInfo, FunctionNode
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_NEVER = (sys.maxsize, 0)
_DEEPEST = 2
"""How many calls a parameter is followed through."""


def uses_by_callees(
    inspector: Inspector,
    function: kinds.Function,
    names: frozenset[str],
    holders: frozenset[str] = frozenset(),
    depth: int = 0,
) -> dict[str, set[str]]:
    """What `usage` says of these parameters, and of what the holders hold, in the functions of the project that they
    are passed to: `names` as they are, and whatever a holder holds, by path, whether it is passed itself
    (`self.embed(data)`) or one of its items is (`masked_mean(data["x"])`).

    Only what is used as tensors, numbers or containers are; what is passed after a name was bound anew says nothing of
    the parameter.
    """
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None or isinstance(info.node, ast.Lambda):
        return {}
    paths = _Paths(inspector, info, names | holders)
    found: dict[str, set[str]] = {}
    frame = Frame(inspector, module, info, Route(), _env(info, function.receiver))
    for call in paths.calls():
        callee = inspector.evaluate_silently(frame, call.func)
        if not isinstance(callee, kinds.Function):
            continue
        for path, uses in _uses_in(inspector, callee, call, paths, depth).items():
            found.setdefault(path, set()).update(uses)
    return {
        path: uses
        for path, uses in found.items()
        if (path in names or (path != head_of(path) and head_of(path) in holders)) and _tells(uses)
    }


def _tells(uses: set[str]) -> bool:
    """Whether this is how tensors are used, what holds them, or a number (a length that a helper slices by): what else
    a parameter may be says its own function, or nobody."""
    return not uses.isdisjoint({"tensor", "number", "container"}) and "python" not in uses


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


class _Paths:
    """What of a function's parameters stands in its calls, by path: `batch`, `batch['image']`, and names of such."""

    def __init__(self, inspector: Inspector, info: FunctionInfo, names: frozenset[str]) -> None:
        self._node = info.node
        self._names = names
        self._aliases = inspector.aliases(info)
        self._bound_anew: dict[str, tuple[int, int]] | None = None

    def calls(self) -> Iterator[ast.Call]:
        """The calls of what has a name, or is an attribute of something that has one, that are given such."""
        for part in walk(self._node) if self._names else ():
            match part:
                case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name())):
                    given = (*part.args, *(keyword.value for keyword in part.keywords))
                    if any(self._meant(each) is not None for each in given):
                        yield part

    def of(self, argument: ast.expr, call: ast.Call) -> str | None:
        """The path of an argument of a call, unless it means something else by then; None for all else."""
        path = self._meant(argument)
        if path is None:
            return None
        if self._bound_anew is None:
            self._bound_anew = _bound_anew(self._node)
        return path if _position(call) < self._bound_anew.get(head_of(path), _NEVER) else None

    def _meant(self, argument: ast.expr) -> str | None:
        if not isinstance(argument, ast.Name | ast.Attribute | ast.Subscript):
            return None
        path = item_path(argument)
        alias = self._aliases.get(path) if path is not None else None
        if alias is not None and alias.first_line <= argument.lineno <= alias.last_line:
            path = alias.path
        return path if path is not None and head_of(path) in self._names else None


def _uses_in(
    inspector: Inspector, callee: kinds.Function, call: ast.Call, paths: _Paths, depth: int
) -> dict[str, set[str]]:
    """How a callee uses what it is given in a call, and what that holds, by the paths that the caller has for it."""
    info = inspector.tree.function(callee.key)
    if info is None:
        return {}
    passed = {
        theirs: path
        for theirs, ours in _bound(info.node, call, is_method=callee.receiver is not None)
        if (path := paths.of(ours, call)) is not None
    }
    uses = inspector.usage(info)
    untold = frozenset(name for name in passed if not uses.get(name))
    holders = frozenset(name for name in passed if may_hold(uses.get(name, set())))
    if (untold or holders) and depth + 1 < _DEEPEST:
        further = uses_by_callees(inspector, callee, untold, holders, depth + 1)
        uses = further | {path: use for path, use in uses.items() if use or path not in further}
    return {
        passed[head_of(theirs)] + theirs[len(head_of(theirs)) :]: use
        for theirs, use in uses.items()
        if head_of(theirs) in passed
    }


def _bound(node: FunctionNode, call: ast.Call, *, is_method: bool) -> Iterator[tuple[str, ast.expr]]:
    """What a call gives to parameters that are not declared: of others their declarations tell."""
    for parameter, argument in given_by(node, call, is_method=is_method):
        if parameter.annotation is None:
            yield parameter.arg, argument


def given_by(node: FunctionNode, call: ast.Call, *, is_method: bool) -> Iterator[tuple[ast.arg, ast.expr]]:
    """What a call gives to parameters, as far as it is written out."""
    positional = [*node.args.posonlyargs, *node.args.args][1 if is_method else 0 :]
    named = {arg.arg: arg for arg in (*positional, *node.args.kwonlyargs)}
    for parameter, argument in zip(positional, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        yield parameter, argument
    for keyword in call.keywords:
        if keyword.arg in named:
            yield named[keyword.arg], keyword.value
