"""Conditions on attributes of an object that a program makes, which stay what they are (`members/made_attributes.py`):
`len(self.hooks) > 0`, `isinstance(self.norm, nn.LayerNorm)`, `hasattr(self, "adapter")`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.deciding.comparing import COMPARE, OPEN, Open
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Const, Kind
from compilelint.inspect.members import layer_classes
from compilelint.inspect.members.never_set import is_never_set
from compilelint.source.nodes import asked_classes, walk

_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    **COMPARE,
    ast.Is: lambda left, right: type(left) is type(right) and left == right,
    ast.IsNot: lambda left, right: type(left) is not type(right) or left != right,
}
"""What is known here is made for the question, and no object of the program's."""


_IsOne: TypeAlias = Callable[[Kind, Kind], bool | None]


def outcome(frame: Frame, test: ast.expr) -> bool | None:
    """What a condition comes to, which is no `and`, `or` or `not` of others; None where attributes do not tell."""
    receiver = frame.receiver_instance
    if receiver is None or not receiver.of_program or not _asks(frame, test):
        return None
    value = _value(frame, test)
    return None if isinstance(value, Open) else bool(value)


def _own_name(frame: Frame) -> str | None:
    return first_parameter(frame.function.node) if frame.function is not None else None


def _asks(frame: Frame, test: ast.expr) -> bool:
    own = _own_name(frame)
    return own is not None and any(isinstance(part, ast.Name) and part.id == own for part in walk(test))


def _value(frame: Frame, node: ast.expr) -> Any:
    own = _own_name(frame)
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Compare(left=ast.Call(func=ast.Name(id="type"), args=[subject]), ops=[op], comparators=[cls]):
            answer = _has_class(frame, subject, [cls], layer_classes.is_exactly)
            return answer if isinstance(op, ast.Is | ast.Eq) or isinstance(answer, Open) else not answer
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(_value(frame, left), op, _value(frame, right))
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == own:
            return _python(_known(frame, name))
        case ast.Subscript(value=held, slice=place):
            return _item(_value(frame, held), _value(frame, place))
        case ast.Call(func=ast.Name(id="len"), args=[held], keywords=[]):
            value = _value(frame, held)
            return len(value) if isinstance(value, tuple | list | dict | str) else OPEN
        case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[key, *default], keywords=[]):
            return _entry(_value(frame, held), _value(frame, key), *(_value(frame, each) for each in default))
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, wanted], keywords=[]):
            return _has_class(frame, subject, asked_classes(wanted), partial(layer_classes.is_of, frame.inspector))
        case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name))]) if (
            owner == own
        ):
            return False if _lacks(frame, name) else True if _known(frame, name) is not None else OPEN
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name)), default]
        ) if owner == own:
            return _value(frame, default) if _lacks(frame, name) else OPEN
        case ast.Attribute():
            kind = frame.inspector.peek(frame, node)
            return _python(kind) if isinstance(kind, Const | kinds.Instance) else OPEN
        case _:
            return OPEN


def _known(frame: Frame, name: str) -> Kind | None:
    """What an attribute of `self` is for good."""
    receiver = frame.receiver_instance
    path = f"{_own_name(frame)}.{name}"
    return dict(receiver.settled).get(name) if receiver is not None and path not in frame.env else None


def _lacks(frame: Frame, name: str) -> bool:
    receiver = frame.receiver_instance
    path = f"{_own_name(frame)}.{name}"
    return receiver is not None and path not in frame.env and is_never_set(frame.inspector, receiver, name)


def _python(kind: Kind | None) -> Any:
    """The value of Python's that a kind stands for, as far as it is one."""
    match kind:
        case Const(value=value):
            return value
        case kinds.Sequence(type="tuple", items=tuple(items)):
            return tuple(map(_python, items))
        case kinds.Sequence(items=tuple(items)):
            return list(map(_python, items))
        case kinds.Instance(settled=((kinds.MEMBER, Const(value=name)),)):
            return kind.cls.key, name  # a member of an Enum
        case kinds.Dictionary(entries=entries):
            return {key: _python(each) for key, each in entries}
        case _:
            return OPEN


def _compared(left: Any, op: ast.cmpop, right: Any) -> Any:
    if _is_open(left) or _is_open(right) or type(op) not in _COMPARE:
        return OPEN
    try:
        return bool(_COMPARE[type(op)](left, right))
    except TypeError:
        return OPEN


def _is_open(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_is_open, value))
    return value is OPEN


def _item(held: Any, place: Any) -> Any:
    try:
        return OPEN if isinstance(held, Open) or isinstance(place, Open) else held[place]
    except (LookupError, TypeError):
        return OPEN


def _entry(held: Any, key: Any, default: Any = None) -> Any:
    return held.get(key, default) if isinstance(held, dict) and not isinstance(key, Open) else OPEN


def _has_class(frame: Frame, subject: ast.expr, wanted: Sequence[ast.expr], is_one: _IsOne) -> Any:
    """Whether an attribute is of one of these classes."""
    match subject:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == _own_name(frame):
            kind = _known(frame, name)
        case _:
            return OPEN
    if kind is None:
        return OPEN
    answers = {is_one(kind, frame.inspector.peek(frame, each)) for each in wanted}
    return True if True in answers else OPEN if None in answers else False
