"""Where the first call of what is compiled returns before it has computed anything.

Dynamo takes a function whose first call has no tensor operation for one that has nothing to compile, and leaves it out
for good. What state holds in the first call says its `__init__`, or its module.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.events import Event, Mode, Place
from compilelint.inspect.frame import path_of, source_of, span_of
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.lasting.first_states import fillers, values_given
from compilelint.inspect.members import classes
from compilelint.regions.roots import Root
from compilelint.report.confidence import Confidence
from compilelint.source.model import Assignment, FunctionInfo, FunctionNode, ModuleIndex
from compilelint.source.nodes import walk

CONSTRUCT = "idle-first-call"


class _Held(Struct, frozen=True):
    """What a name or an attribute holds in the first call: a number, a truth, None; of a container how much."""

    value: int | bool | None
    sure: Confidence = Confidence.HIGH
    """MEDIUM where others may have changed it before."""


_Changed: TypeAlias = Mapping[str, _Held | None]
"""What names and attributes hold that the call has changed so far, by path; None where nobody knows."""


class _Called(Struct, frozen=True):
    """The function that is called for the first time, and where is written what it finds."""

    inspector: Inspector
    module: ModuleIndex
    info: FunctionInfo
    owner: kinds.ProjectClass | None
    """The class of the object whose method it is."""


def first_returns(inspector: Inspector, root: Root) -> Iterator[Event]:
    """The condition, if any, by which the first call of a root returns without a tensor operation."""
    info, module = inspector.tree.function(root.function.key), inspector.tree.module(root.function.key[0])
    if info is None or module is None or root.mode.fullgraph or isinstance(info.node, ast.Lambda):
        return
    receiver = root.function.receiver
    owner = receiver.cls if isinstance(receiver, kinds.Instance) else None
    found = _returning_test(_Called(inspector, module, info, owner), info.node.body)
    if found is not None:
        test, sure = found
        yield Event(
            "compile",
            span_of(module, test),
            Place(module.name, info.qualname, (root.label,), Mode()),
            "torch.compile",
            CONSTRUCT,
            root.function,
            confidence=min(sure, root.ceiling),
            source=source_of(module, test),
        )


def _returning_test(called: _Called, body: list[ast.stmt]) -> tuple[ast.expr, Confidence] | None:
    """The test of the first `if` that returns for sure, or likely; None where something else comes first."""
    changed: _Changed = {}
    for position, statement in enumerate(body):
        if isinstance(statement, ast.If):
            if not _returns_idly(statement.body) or not _asks_idly(statement.test):
                return None
            sure = _how_surely_holds(called, changed, statement.test)
            if sure is not None:
                return (statement.test, sure) if statement.orelse or position + 1 < len(body) else None
            if statement.orelse:
                return None
        elif (after := _after(called, changed, statement)) is not None:
            changed = after
        else:
            return None
    return None


def _returns_idly(body: list[ast.stmt]) -> bool:
    """Whether statements do nothing with tensors but to store and return them."""
    *others, last = body
    return (
        isinstance(last, ast.Return)
        and (last.value is None or _is_idle(last.value))
        and all(isinstance(each, ast.Assign) and _is_idle(each.value) for each in others)
    )


def _asks_idly(test: ast.expr) -> bool:
    """Whether a condition calls nothing but what asks Python."""
    return all(
        isinstance(part.func, ast.Name) and part.func.id in _ASK for part in walk(test) if isinstance(part, ast.Call)
    )


_ADD = frozenset({"add", "append", "appendleft"})
_ASK = frozenset({"callable", "getattr", "hasattr", "isinstance", "len"})


def _is_idle(node: ast.expr) -> bool:
    """A name, an attribute, a constant, a length, or some of these."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[container]):
            return _is_idle(container)
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_idle(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(map(_is_idle, parts))
        case _:
            return False


def _after(called: _Called, changed: _Changed, statement: ast.stmt) -> _Changed | None:
    """What a statement leaves changed; None where it may compute something with tensors."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global() | ast.Nonlocal():
            return changed
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=container, attr=method))) if method in _ADD:
            return _after_adding(called, changed, container, 1)
        case ast.AugAssign(target=target, op=ast.Add(), value=ast.Constant(value=int(added))):
            return _after_adding(called, changed, target, added)
        case ast.Assign(targets=[ast.Attribute() | ast.Name() as target], value=value) if _is_idle(value):
            path = path_of(target)
            return changed if path is None else {**changed, path: _held_by(called, changed, value)}
        case _:
            return None


def _after_adding(called: _Called, changed: _Changed, target: ast.expr, added: int) -> _Changed | None:
    path, held = path_of(target), _held_by(called, changed, target)
    if path is None or held is None or held.value is None:
        return None
    return {**changed, path: replace(held, value=held.value + added)}


def _how_surely_holds(called: _Called, changed: _Changed, test: ast.expr) -> Confidence | None:
    """How sure it is that a condition holds in the first call; None where it does not, or nobody knows."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=parts):
            return max(filter(None, (_how_surely_holds(called, changed, part) for part in parts)), default=None)
        case ast.BoolOp(op=ast.And(), values=parts):
            each = [_how_surely_holds(called, changed, part) for part in parts]
            return None if None in each else min(filter(None, each))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            held = _held_by(called, changed, operand)
            return held.sure if held is not None and not held.value else None
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _how_surely_compares(_held_by(called, changed, left), op, _held_by(called, changed, right))
        case _:
            held = _held_by(called, changed, test)
            return held.sure if held is not None and held.value else None


def _how_surely_compares(left: _Held | None, op: ast.cmpop, right: _Held | None) -> Confidence | None:
    if left is None:
        return None
    match op, right:
        case ast.Is(), _Held(value=None):
            return left.sure if left.value is None else None
        case ((ast.Lt() | ast.LtE()), None) if left.value in (0, 1):
            return Confidence.MEDIUM  # what is counted up to is more than that, as a rule
        case ((ast.Lt() | ast.LtE() | ast.Eq() | ast.NotEq()), _Held()) if (
            left.value is not None and right.value is not None and _COMPARED[type(op)](left.value, right.value)
        ):
            return min(left.sure, right.sure)
        case _:
            return None


def _held_by(called: _Called, changed: _Changed, node: ast.expr) -> _Held | None:
    match node:
        case ast.Constant(value=None | bool() | int() as value):
            return _Held(value)
        case ast.Call(func=ast.Name(id="len"), args=[container]):
            return _held_by(called, changed, container)
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _remainder(_held_by(called, changed, left), _held_by(called, changed, right))
        case ast.Name() | ast.Attribute():
            path = path_of(node)
            return changed[path] if path is not None and path in changed else _at_first(called, node)
        case _:
            return None


def _at_first(called: _Called, node: ast.Name | ast.Attribute) -> _Held | None:
    """What a name or an attribute holds as the first call begins."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attr) if called.owner is not None:
            return _of_attribute(called, called.owner, attr)
        case ast.Name(id=name) if not _is_own(called.info.node, name):
            bindings = [each for each in called.module.bindings.get(name, ()) if isinstance(each, Assignment)]
            value = bindings[0].value if bindings else None
            held = _made(called, value) if value is not None else None
            return replace(held, sure=Confidence.MEDIUM) if held is not None else None
        case _:
            return None


def _of_attribute(called: _Called, owner: kinds.ProjectClass, attr: str) -> _Held | None:
    inspector = called.inspector
    init = classes.find_method(inspector, owner, "__init__")
    function = inspector.tree.function(init) if init is not None else None
    values = list(values_given(function.node, attr)) if function is not None else []
    if len(values) != 1 or values[0] is None:
        return None
    held = _made(called, values[0])
    others = set(fillers(inspector, owner, attr)) - {init, called.info.key}
    is_ours = isinstance(values[0], ast.Constant) or _adds_to(called.info.node, attr)
    return replace(held, sure=Confidence.MEDIUM) if held is not None and (others or not is_ours) else held


def _adds_to(node: FunctionNode, attr: str) -> bool:
    """Whether the function itself fills a container; else others do, and may have begun before."""
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in _ADD
        and path_of(part.func.value) == f"self.{attr}"
        for part in walk(node)
    )


def _made(called: _Called, value: ast.expr) -> _Held | None:
    """What an expression makes that stands where state begins."""
    match value:
        case ast.Constant(value=None | bool() | int() as constant):
            return _Held(constant)
        case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="list" | "dict" | "set"), args=[]):
            return _Held(0)
        case ast.Call(func=ast.Name(id="deque") | ast.Attribute(attr="deque"), args=[] | [ast.List(elts=[]), *_]):
            return _Held(0)
        case ast.Call():
            made = called.inspector.evaluate_globally(called.module, value)
            has_length = (
                isinstance(made, kinds.Instance)
                and not made.module
                and classes.find_method(called.inspector, made.cls, "__len__") is not None
            )
            return _Held(0, Confidence.MEDIUM) if has_length else None
        case _:
            return None


def _remainder(left: _Held | None, right: _Held | None) -> _Held | None:
    if left is None or left.value is None:
        return None
    if right is None:
        return replace(left, sure=Confidence.MEDIUM) if left.value in (0, 1) else None
    return _Held(left.value % right.value, min(left.sure, right.sure)) if right.value else None


def _is_own(node: FunctionNode, name: str) -> bool:
    """Whether a name is a function's own: a parameter, or assigned there and not declared to be global."""
    spec = node.args
    if any(
        name == arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg) if arg
    ):
        return True
    parts = list(walk(node))
    is_global = any(isinstance(part, ast.Global | ast.Nonlocal) and name in part.names for part in parts)
    return not is_global and any(
        isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store) for part in parts
    )


_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
