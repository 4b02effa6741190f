"""State that a call leaves for the next one, and that the first call does not find: `if self.last is not None:
x = x + self.last`, and `self.last = x` further down."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds
from compilelint.inspect.deciding.none_tests import spelled_out
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind
from compilelint.inspect.lasting.first_states import callers, emptiers, starts_empty, values_given
from compilelint.inspect.lasting.given_first import is_given_first
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import is_none, walk
from compilelint.source.watched import says


def is_carried(frame: Frame, target: ast.Attribute, statement: ast.stmt, value: ast.expr, owner: Instance) -> bool:
    """Whether a statement gives an attribute the value that the next call asks for, and that the first has not found.

    The first call takes one path, all others the other.
    """
    return (
        _is_asked_before(frame, target, statement, value)
        and starts_empty(frame, owner, target.attr) == Confidence.HIGH
        and not _may_be_none(frame.inspector.peek(frame, value))
        and _is_none_at_first(frame, owner, target.attr)
    )


def _may_be_none(kind: Kind) -> bool:
    return any(option in (kinds.NONE, UNKNOWN) for option in kinds.options(kind))


def _is_asked_before(frame: Frame, target: ast.Attribute, statement: ast.stmt, value: ast.expr) -> bool:
    """Whether a condition above a statement asks if its target is there, and neither the statement stands under it nor
    another that gives the target a value, which is then what fills it. Or it asks itself: `self.mean = x if self.mean
    is None else self.mean + x`."""
    assert frame.function is not None
    if not _may_ask(frame, target.attr):  # most are not asked for at all
        return False
    if any(_asks(frame, part, target) for test in frame.conditions for part in walk(test)):
        return False
    asks_itself = {id(node) for node in walk(value) if isinstance(node, ast.IfExp)}
    asking = [
        node
        for node in walk(frame.function.node)
        if isinstance(node, ast.If | ast.IfExp)
        and (node.lineno < statement.lineno or id(node) in asks_itself)
        and any(_asks(frame, part, target) for part in _asked_at_first(node.test))
        and not (isinstance(node, ast.If) and is_given_first(frame, target, node))
    ]
    return bool(asking) and not any(isinstance(node, ast.If) and _gives(node, target) for node in asking)


def _gives(node: ast.If, target: ast.Attribute) -> bool:
    """Whether the target is given a value under a condition."""
    return any(True for part in (*node.body, *node.orelse) for _ in values_given(part, target.attr))


def _asked_at_first(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that the first call asks; none behind a comparison, which may end it."""
    if not isinstance(test, ast.BoolOp):
        yield test
        return
    for part in test.values:
        yield from _asked_at_first(part)
        if isinstance(part, ast.Compare):
            return


def _may_ask(frame: Frame, attr: str) -> bool:
    """Whether a function has text in which `_asks` may find something: `self.last is None`, `exists(self.last)`."""
    assert frame.function is not None
    node = frame.function.node
    return any(says(node, frame.module.lines, word) for word in (f".{attr} is ", f".{attr})"))


def _asks(frame: Frame, node: ast.AST, target: ast.Attribute) -> bool:
    """`self.last is None`, `self.last is not None`, `exists(self.last)`."""
    match spelled_out(frame, node) if isinstance(node, ast.expr) else node:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id=name), attr=attr), ops=[ast.Is() | ast.IsNot()], comparators=[other]
        ):
            held_by = target.value.id if isinstance(target.value, ast.Name) else None
            return is_none(other) and attr == target.attr and name == held_by
        case _:
            return False


def _is_none_at_first(frame: Frame, owner: Instance, attr: str) -> bool:
    """Whether `__init__` leaves it out, and no other method leads to where it is left out again."""
    inspector, init = frame.inspector, classes.find_method(frame.inspector, owner.cls, "__init__")
    own = frame.function.key if frame.function is not None else None
    found = emptiers(inspector, owner.cls, attr)
    return (
        init in found
        and own not in found
        and all(caller == init for key in found if key != init for caller in callers(inspector, owner.cls, key))
    )
