"""Dicts that `__init__` leaves empty, or without a key, and a call fills: `self.losses["l1"] = loss`.

How many items a dict has is guarded, so the second call, which finds the first item there, is compiled again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, path_of
from compilelint.inspect.kinds import Instance
from compilelint.inspect.lasting.first_states import values_given
from compilelint.inspect.lasting.fixed_keys import adds_fixed_keys
from compilelint.inspect.lasting.keeping import asks_whether_missing
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import walk
from compilelint.source.watched import says

CONSTRUCT = "first-item"
_CHANGES = frozenset({"clear", "pop", "popitem", "update", "setdefault"})


def is_first_item(frame: Frame, target: ast.expr, container: ast.Attribute, owner: Instance) -> bool:
    """Whether a statement is the first of a function to put something into a dict that was empty before: what it
    assigns, or the `update` that it calls."""
    if frame.function is None or path_of(container) in frame.replaced:
        return False
    if isinstance(target, ast.Subscript) and not _is_known(frame.function.node, target.slice):
        return False
    if isinstance(target, ast.Call) and not adds_fixed_keys(frame, target):
        return False
    held = frame.inspector.peek(frame, container)
    if not isinstance(held, kinds.Dictionary) or held.type != "dict" or held.record:
        return False
    function, attr = frame.function, container.attr
    if not _is_first(function.node, target, attr):
        return False
    key = target.slice.value if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) else None
    return frame.inspector.derived(
        ("starts as dict without", owner.cls.key, function.key, attr, repr(key)),
        lambda: _starts_without(frame, owner, attr, key) and not _is_called_where_missing(frame, owner),
    )


def _is_known(function: FunctionNode, key: ast.expr) -> bool:
    """Whether a key is written out, or a loop of the function goes through it: `for i, layer in enumerate(self.layers):
    self.seen[f"layer{i}"] = x`. One that a call gives may be another one each time, which other rules are about."""
    if isinstance(key, ast.Constant):
        return True
    names = {part.id for part in walk(key) if isinstance(part, ast.Name)}
    loops = [part.target for part in walk(function) if isinstance(part, ast.For)]
    return bool(names) and names <= {part.id for target in loops for part in walk(target) if isinstance(part, ast.Name)}


def _is_first(function: FunctionNode, target: ast.expr, attr: str) -> bool:
    """Whether nothing further up in a function writes to the dict, and nothing at all takes from it."""
    return all(
        part is target
        or (isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _place(part) >= _place(target))
        for part in _changes(function, attr)
    )


def _is_called_where_missing(frame: Frame, owner: Instance) -> bool:
    """Whether methods of the class call the one that is walked only where something is missing that it fills: `if
    self.trace is None: self.set_up(x)`. Of that call it is told, and both are mended together."""
    assert frame.function is not None
    filling = frame.function.node
    name = frame.function.qualname.rpartition(".")[2]
    calls, where_missing = 0, 0
    for method in classes.methods(frame.inspector, owner.cls):
        module = frame.inspector.tree.module(method.key[0])
        if module is None or not says(method.node, module.lines, f"{name}("):
            continue
        for part in walk(method.node):
            calls += _is_call_of(part, name)
            if isinstance(part, ast.If) and _fills_what_is_asked(filling, part.test):
                where_missing += sum(_is_call_of(each, name) for inner in part.body for each in walk(inner))
    return 0 < calls == where_missing


def _fills_what_is_asked(filling: FunctionNode, test: ast.expr) -> bool:
    return any(
        asks_whether_missing(test, target) and any(True for _ in values_given(filling, target.attr))
        for target in _attributes_asked(test)
    )


def _attributes_asked(test: ast.expr) -> Iterator[ast.Attribute]:
    match test:
        case ast.Compare(left=ast.Attribute() as target):
            yield target
        case ast.UnaryOp(operand=ast.Call(args=[owner, ast.Constant(value=str(name))])):
            yield ast.Attribute(owner, name, ast.Load())


def _starts_without(frame: Frame, owner: Instance, attr: str, key: object) -> bool:
    """Whether `__init__` leaves a dict there that is empty, or has other keys than this one, and other methods than the
    one that is walked only fill it, after they called that one."""
    begun = False
    for method in classes.methods(frame.inspector, owner.cls):
        module = frame.inspector.tree.module(method.key[0])
        if module is None or not says(method.node, module.lines, attr):
            continue
        given = list(values_given(method.node, attr))
        if given and not (method.qualname.endswith(".__init__") and all(_lacks(each, key) for each in given)):
            return False
        begun = begun or bool(given)
        is_own = frame.function is not None and method.key == frame.function.key
        if not is_own and not _fills_after(method.node, frame, attr):
            return False
    return begun


def _fills_after(method: FunctionNode, frame: Frame, attr: str) -> bool:
    """Whether all that a method puts into the dict comes after a call of the function that is walked: `h =
    self.forward_conv(x)`, and `self.outputs["out"] = h` below it."""
    changes = list(_changes(method, attr))
    if not changes or frame.function is None:
        return not changes
    walked = frame.function.qualname.rpartition(".")[2]
    calls = [_place(part) for part in walk(method) if _is_call_of(part, walked)]
    return bool(calls) and all(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and _place(part) > min(calls)
        for part in changes
    )


def _is_call_of(part: ast.AST, name: str) -> TypeGuard[ast.Call]:
    match part:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr)):
            return attr == name
        case _:
            return False


def _place(part: ast.expr) -> tuple[int, int]:
    return part.lineno, part.col_offset


def _lacks(value: ast.expr | None, key: object) -> bool:
    """Whether it is an empty dict, or one of which all keys are written out, and are none that is."""
    match value:
        case ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="dict"), args=[], keywords=[]):
            return True
        case ast.Dict(keys=keys) if key is not None:
            return all(isinstance(each, ast.Constant) and each.value != key for each in keys)
        case _:
            return False


def _changes(function: FunctionNode, attr: str) -> Iterator[ast.expr]:
    """Where a function puts something into a dict, or takes it away."""
    for part in walk(function):
        match part:
            case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store() | ast.Del()) if name == attr:
                yield part
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method)) if name == attr:
                if method in _CHANGES:
                    yield part
