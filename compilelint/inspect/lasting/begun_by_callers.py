"""Attributes that a method moves on, or fills, and that whoever calls it has begun anew, or empties afterwards.

`forward` sets `self.index = 0`, and then calls `self.activate(x)`, which does `self.index += 1`: the next call finds
nothing else there than this one did.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import Instance, ProjectClass
from compilelint.inspect.lasting.default_flags import outcome_of_flags
from compilelint.inspect.lasting.first_states import CALLED_BY_NAME, callers, emptiers, is_emptied_again
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo, FunctionNode, Key
from compilelint.source.nodes import is_none, pairs_of, walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def is_of_one_call(frame: Frame, owner: Instance, target: ast.Attribute) -> bool:
    """Whether what is filled is empty again in the next call: begun anew before, or emptied behind."""
    function = frame.function
    is_called_in_series = function is None or function.qualname.rpartition(".")[2] in CALLED_BY_NAME
    return (
        (not is_called_in_series and is_begun_by_callers(frame, target))
        or is_emptied_after(frame, target)
        or is_emptied_again(frame, owner, target.attr)
        or _is_emptied_by_holders(frame.inspector, owner.cls, target.attr)
    )


def _is_emptied_by_holders(inspector: Inspector, cls: ProjectClass, attr: str) -> bool:
    """Whether the `forward` of another class calls a method of an object that it holds which empties the attribute: a
    network of neurons begins with `self.first.reset()`. A `__call__` may be what makes steps one by one, a pipeline."""
    return inspector.derived(("emptied by holders", cls.key, attr), lambda: _has_emptying_holder(inspector, cls, attr))


def _has_emptying_holder(inspector: Inspector, cls: ProjectClass, attr: str) -> bool:
    own = {method.key for method in classes.methods(inspector, cls)}
    functions = (inspector.tree.function(key) for key in emptiers(inspector, cls, attr))
    named = (each.qualname.rpartition(".")[2] for each in functions if each is not None)
    names = frozenset(name for name in named if name not in ("__init__", *CALLED_BY_NAME))
    files = [cls.key[0], *(few_importers(inspector.tree, cls.key[0]) or ())] if names else []
    modules = [module for file in files if (module := inspector.tree.module(file)) is not None]
    return any(
        _calls_of_held(function.node, names)
        for module in modules
        for function in module.functions.values()
        if function.key not in own
        and function.qualname.endswith(".forward")
        and any(says(function.node, module.lines, f".{name}(") for name in names)
    )


def _calls_of_held(node: FunctionNode, names: frozenset[str]) -> bool:
    """`self.first.reset()`, `for layer in self.layers: layer.reset()`; what it calls of its own is its own."""
    own = first_parameter(node)
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in names
        and not (isinstance(part.func.value, ast.Name) and part.func.value.id == own)
        for part in walk(node)
    )


def is_begun_by_callers(frame: Frame, target: ast.Attribute) -> bool:
    """Whether all methods that call the one which is walked have given the attribute a value of its own before."""
    function, owner = frame.function, frame.receiver_instance
    if function is None or owner is None or path_of(target.value) != first_parameter(function.node):
        return False
    return frame.inspector.derived(
        ("begun by callers", owner.cls.key, function.key, target.attr),
        lambda: _is_begun(frame.inspector, owner.cls, function, target.attr, frozenset()),
    )


def is_emptied_after(frame: Frame, target: ast.Attribute) -> bool:
    """Whether the function which is walked gives the attribute back as None, or all methods do that call it: what is
    kept there is kept for one call (`y = self.use(x)`, `self.kept = None`)."""
    function, owner = frame.function, frame.receiver_instance
    if function is None or owner is None or path_of(target.value) != first_parameter(function.node):
        return False
    return frame.inspector.derived(
        ("emptied after", owner.cls.key, function.key, target.attr),
        lambda: _is_emptied(frame.inspector, owner.cls, function, target.attr),
    )


def _is_emptied(inspector: Inspector, cls: ProjectClass, function: FunctionInfo, attr: str) -> bool:
    if _empties_last(inspector, cls, function, attr):
        return True
    calling = [inspector.tree.function(key) for key in callers(inspector, cls, function.key) if key != function.key]
    return bool(calling) and all(each is not None and _empties_last(inspector, cls, each, attr) for each in calling)


def _empties_last(inspector: Inspector, cls: ProjectClass, function: FunctionInfo, attr: str) -> bool:
    """Whether a function sets an attribute to None behind all else, whatever it returns."""
    if isinstance(function.node, ast.Lambda):
        return False
    body = function.node.body
    if any(isinstance(part, ast.Return) for statement in body[:-1] for part in walk(statement)):
        return False
    end = body[-1]
    if isinstance(end, ast.Return) and any(isinstance(part, ast.Call) for part in walk(end)):
        return False
    own = first_parameter(function.node)
    given = (_value_given(inspector, cls, statement, own, attr) for statement in body[-2:])
    return any(value is not None and is_none(value) for value in given)


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
        begins = [statement]
        if isinstance(statement, ast.If) and outcome_of_flags(inspector, caller, statement.test):
            begins = statement.body
        if any(_value_given(inspector, cls, each, own, attr) is not None for each in begins):
            return True
        if any(isinstance(part, ast.Attribute) and part.attr == called for part in walk(statement)):
            return False
    return False


def _value_given(
    inspector: Inspector, cls: ProjectClass, statement: ast.stmt, own: str | None, attr: str
) -> ast.expr | None:
    """The new value that a statement gives to an attribute: itself, or by `self.reset()`, which does so whatever it is
    given."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called))) if name == own:
            key = classes.find_method(inspector, cls, called)
            method = inspector.tree.function(key) if key is not None else None
        case _:
            return _new_value(statement, f"{own}.{attr}")
    if method is None or isinstance(method.node, ast.Lambda):
        return None
    path = f"{first_parameter(method.node)}.{attr}"
    return next((value for each in method.node.body if (value := _new_value(each, path)) is not None), None)


def _new_value(statement: ast.stmt, path: str) -> ast.expr | None:
    for target, value in pairs_of(statement):
        is_old = any(isinstance(part, ast.Attribute) and path_of(part) == path for part in walk(value))
        if path_of(target) == path and not is_old:
            return value
    return None
