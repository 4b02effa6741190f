"""Blocks that run once, because they turn the flag off under which they stand: `if self.new: …; self.new = False`,
or count from the front what was counted from the end: `if self.dim < 0: self.dim += x.dim()`.

What such a block changes costs one more compilation: the second call finds the flag turned, and all calls after it are
as the second one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments import parameters
from compilelint.inspect.frame import path_of
from compilelint.inspect.members import classes
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def turns_itself_off(frame: Frame, test: ast.expr, body: Sequence[ast.stmt]) -> bool:
    """Whether what stands under a condition sees to it that the condition does not hold again."""
    if any(_counts_from_the_front(test, statement) for statement in body):
        return True
    flags = tuple((path, state) for flag, state in flags_asked(test) if (path := path_of(flag)) is not None)
    if not flags:
        return False
    receiver = frame.receiver_instance
    place = (frame.module.name, test.lineno, test.col_offset, receiver.cls.key if receiver is not None else None)
    return frame.inspector.derived(
        ("turns itself off", *place),
        lambda: any(
            _turns(statement, path, not state) or _calls_what_turns(frame, statement, path, not state)
            for path, state in flags
            for statement in body
        ),
    )


def is_turned_off(test: ast.expr, path: str, state: bool) -> bool:
    """Whether a condition holds only until the attribute of this path is given this state."""
    return any(state is not asked and path_of(flag) == path for flag, asked in flags_asked(test))


def given_state(value: ast.expr | None) -> bool | None:
    """The state that an assignment gives to a flag; None for what is no flag."""
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def flags_asked(test: ast.expr) -> Iterator[tuple[ast.Attribute, bool]]:
    """The attributes of which a condition asks whether they are set, or not set, each with what it must be."""
    match test:
        case ast.Attribute():
            yield test, True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute() as flag):
            yield flag, False
        case ast.Compare(left=ast.Attribute() as flag, ops=[op], comparators=[ast.Constant(value=bool(state))]) if (
            isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot)
        ):
            yield flag, state is isinstance(op, ast.Eq | ast.Is)
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from flags_asked(value)


def _counts_from_the_front(test: ast.expr, statement: ast.stmt) -> bool:
    """Whether a negative dimension, of which a condition asks, is made a positive one: `self.dim += x.dim()`."""
    match test:
        case ast.Compare(left=ast.Attribute() as asked, ops=[ast.Lt()], comparators=[ast.Constant(value=0)]):
            path = path_of(asked)
        case _:
            return False
    match statement:
        case ast.AugAssign(target=target, op=ast.Add()):
            return path_of(target) == path is not None
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Add(), right=right)):
            return path_of(target) == path is not None and path in (path_of(left), path_of(right))
        case _:
            return False


def _turns(block: ast.AST, path: str, state: bool) -> bool:
    """Whether a flag is given this state somewhere in a block."""
    return any(
        isinstance(part, ast.Assign)
        and given_state(part.value) is state
        and any(isinstance(target, ast.Attribute) and path_of(target) == path for target in part.targets)
        for part in walk(block)
    )


def _calls_what_turns(frame: Frame, statement: ast.stmt, path: str, state: bool) -> bool:
    """Whether a statement calls a method of the flag's owner that gives it this state: `self.create(x)`."""
    owner, _, flag = path.rpartition(".")
    instance = frame.receiver_instance
    if instance is None or frame.function is None or owner != parameters.first_parameter(frame.function.node):
        return False
    return any(
        _method_turns(frame, instance, part.func.attr, flag, state)
        for part in walk(statement)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and path_of(part.func.value) == owner
    )


def _method_turns(frame: Frame, instance: kinds.Instance, method: str, flag: str, state: bool) -> bool:
    key = classes.find_method(frame.inspector, instance.cls, method)
    info = frame.inspector.tree.function(key) if key is not None else None
    if info is None:
        return False
    own = parameters.first_parameter(info.node)
    return _turns(info.node, f"{own}.{flag}", state)
