"""Attributes that a method moves on, and that whoever calls it has begun anew.

`forward` sets `self.index = 0`, and then calls `self.activate(x)`, which does `self.index += 1`: the next call finds
nothing else there than this one did.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.lasting.first_states import callers
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo, Key
from compilelint.source.nodes import pairs_of, walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def is_begun_by_callers(frame: Frame, target: ast.Attribute) -> bool:
    """Whether all methods that call the one which is walked have given the attribute a value of its own before."""
    function, owner = frame.function, frame.receiver_instance
    if function is None or owner is None or path_of(target.value) != first_parameter(function.node):
        return False
    return frame.inspector.derived(
        ("begun by callers", owner.cls.key, function.key, target.attr),
        lambda: _is_begun(frame.inspector, owner.cls, function, target.attr, frozenset()),
    )


def _is_begun(inspector: Inspector, cls: ProjectClass, function: FunctionInfo, attr: str, seen: frozenset[Key]) -> bool:
    if function.key in seen:
        return False
    calling = [inspector.tree.function(key) for key in callers(inspector, cls, function.key) if key != function.key]
    name = function.qualname.rpartition(".")[2]
    return bool(calling) and all(
        caller is not None
        and (
            _begins_before(inspector, cls, caller, name, attr)
            or _is_begun(inspector, cls, caller, attr, seen | {function.key})
        )
        for caller in calling
    )


def _begins_before(inspector: Inspector, cls: ProjectClass, caller: FunctionInfo, called: str, attr: str) -> bool:
    """Whether a method surely begins an attribute, itself or by a method that it calls, and calls another then."""
    own = first_parameter(caller.node)
    for statement in caller.node.body if not isinstance(caller.node, ast.Lambda) else ():
        if _begins(statement, f"{own}.{attr}") or _calls_what_begins(inspector, cls, statement, own, attr):
            return True
        if any(isinstance(part, ast.Attribute) and part.attr == called for part in walk(statement)):
            return False
    return False


def _begins(statement: ast.stmt, path: str) -> bool:
    return any(
        path_of(target) == path
        and not any(isinstance(part, ast.Attribute) and path_of(part) == path for part in walk(value))
        for target, value in pairs_of(statement)
    )


def _calls_what_begins(
    inspector: Inspector, cls: ProjectClass, statement: ast.stmt, own: str | None, attr: str
) -> bool:
    """`self.reset()`, which sets it whatever it is given."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called))) if name == own:
            key = classes.find_method(inspector, cls, called)
            method = inspector.tree.function(key) if key is not None else None
        case _:
            return False
    if method is None or isinstance(method.node, ast.Lambda):
        return False
    path = f"{first_parameter(method.node)}.{attr}"
    return any(_begins(each, path) for each in method.node.body)
