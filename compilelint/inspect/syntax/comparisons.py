"""Comparisons in terms of kinds: `==`, `<`, `is`, `in` and their opposites."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from compilelint.inspect import kinds, signatures
from compilelint.inspect.calling import calls, protocols
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import BOOL, UNKNOWN, Kind
from compilelint.inspect.sizing import untraced_sizes
from compilelint.inspect.sureness import is_tensor_like, sureness
from compilelint.inspect.syntax import operators
from compilelint.report.confidence import Confidence

_METHODS: dict[type, str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}


def compare(frame: Frame, node: ast.AST, op: ast.cmpop, left: Kind, right: Kind) -> Kind:
    """`left op right` for one pair of a comparison."""
    if isinstance(op, ast.Is | ast.IsNot):
        protocols.ask_what_it_is(frame, node, left, "operator.is_")
        return _answer(op, _is_same(left, right))
    if isinstance(op, ast.In | ast.NotIn):
        tensor = kinds.tensor_part(right)
        if operators.is_text(left) and tensor is not None:
            return BOOL  # a name is looked for in a dict: what was taken for a tensor is none
        _report_search(frame, node, left, right)
        return _answer(op, _contains(right, left))
    operators.look_at_text(frame, node, left, right)
    protocols.call(frame, node, left, protocols.COMPARISONS[type(op)], (right,))
    _report_items(frame, node, left, right)
    known = _known_outcome(frame, op, left, right)
    if known is not None:
        return known
    own = _own_comparison(frame, op, left, right)
    if own is not None:
        return own
    if kinds.NONE in (left, right) and isinstance(op, ast.Eq | ast.NotEq):
        protocols.compare_with_none(frame, node, left if right == kinds.NONE else right, op)
        return _answer(op, _is_same(left, right))
    if any(is_tensor_like(kind) for kind in (left, right)):
        if any(operators.is_text(kind) for kind in (left, right)):
            return BOOL
        result = operators.tensor_result(_METHODS[type(op)], left, right)
        return kinds.Tensor("bool", result.ndim, result.confidence) if isinstance(result, kinds.Tensor) else result
    arrays = [option for side in (left, right) for option in kinds.options(side) if isinstance(option, kinds.Array)]
    if arrays:
        is_number = operators.is_number_of_arrays(arrays, left, right)
        is_held = all(array.held for array in arrays)
        answer = kinds.Python("bool", numpy=True) if is_held else kinds.Array("bool", number=is_number)
        is_sure = isinstance(left, kinds.Array) or isinstance(right, kinds.Array)
        return answer if is_sure else kinds.join(BOOL, answer)
    if any(isinstance(kind, kinds.Scalar) for kind in (left, right)):
        return kinds.Scalar("bool", drawn=operators.is_drawn(left, right))
    if any(operators.may_be_drawn(kind) for kind in (left, right)):
        return kinds.join(kinds.Scalar("bool", drawn=True), BOOL)
    return kinds.Python("bool", numpy=True) if operators.is_by_numpy(left) or operators.is_by_numpy(right) else BOOL


def _report_items(frame: Frame, node: ast.AST, left: Kind, right: Kind) -> None:
    """Report tuples or lists that are compared, where a tensor stands against a number: `x.shape == (n.max(), 3)`.

    Python asks for the truth of what comes out (GB6622). One tensor is equal to itself, unseen, and none to None.
    """
    if not isinstance(left, kinds.Sequence) or not isinstance(right, kinds.Sequence):
        return
    if left.type not in _COMPARED or right.type not in _COMPARED:
        return
    for one, other in _pairs(left, right):
        tensor = kinds.tensor_part(one if _is_number(other) else other if _is_number(one) else UNKNOWN)
        if tensor is not None:
            frame.emit("branch", node, construct="items", receiver=tensor, confidence=tensor.confidence)
            return


_COMPARED = frozenset({"tuple", "list"})


def _pairs(left: kinds.Sequence, right: kinds.Sequence) -> Iterator[tuple[Kind, Kind]]:
    """What stands against what; nothing where there are surely more on one side, which is all that is asked then."""
    match left.items, right.items:
        case None, None:
            yield kinds.element(left), kinds.element(right)
        case tuple(ones), None:
            yield from ((one, kinds.element(right)) for one in ones)
        case None, tuple(others):
            yield from ((kinds.element(left), other) for other in others)
        case tuple(ones), tuple(others) if len(ones) == len(others):
            yield from zip(ones, others, strict=True)


def _is_number(kind: Kind) -> bool:
    match kind:
        case kinds.Const(value=value):
            return isinstance(value, int | float)
        case kinds.Python(type=name):
            return name in ("int", "float")
        case _:
            return isinstance(kind, kinds.Scalar)


def _known_outcome(frame: Frame, op: ast.cmpop, left: Kind, right: Kind) -> Kind | None:
    """What a comparison comes to where both sides are known: constants, tuples of them, releases of torch."""
    match left, right:
        case kinds.Const(value=a), kinds.Const(value=b):
            return _constant_compare(op, a, b)
        case kinds.Instance(), kinds.Instance() if isinstance(op, ast.Eq | ast.NotEq):
            same = _is_same_member(left, right)
            return None if same is None else _answer(op, same)
        case kinds.Sequence(type=one, items=tuple(a)), kinds.Sequence(type=other, items=tuple(b)) if (
            one == other and a and b
        ):
            values = [tuple(item.value for item in items if isinstance(item, kinds.Const)) for items in (a, b)]
            return _constant_compare(op, *values) if list(map(len, values)) == [len(a), len(b)] else None
        case (kinds.Reference() | kinds.External(), _) | (_, kinds.Reference() | kinds.External()):
            return signatures.compare_releases(frame.inspector.knowledge.torch, op, left, right)
        case _:
            return None


def _own_comparison(frame: Frame, op: ast.cmpop, left: Kind, right: Kind) -> Kind | None:
    """`left op right` where `left` is an object of the project that defines the comparison, or a list of such."""
    if isinstance(left, kinds.Sequence) and isinstance(right, kinds.Sequence):
        _own_comparison(frame, op, kinds.element(left), kinds.element(right))
        return None
    if not isinstance(left, kinds.Instance) or left.module or type(op) not in protocols.COMPARISONS:
        return None
    name = "__eq__" if isinstance(op, ast.NotEq) else protocols.COMPARISONS[type(op)]
    return calls.call_method(frame, left, name, (right,))


def _answer(op: ast.cmpop, holds: bool | None) -> Kind:
    """What `is`, `==` or `in` gives, or its opposite, where it is known whether that holds."""
    return BOOL if holds is None else kinds.Const(holds is not isinstance(op, ast.IsNot | ast.NotEq | ast.NotIn))


def _is_same_member(left: Kind, right: Kind) -> bool | None:
    """Whether both are one member of an Enum; None of all that are no members of one."""
    match left, right:
        case kinds.Instance(cls=cls, settled=((kinds.MEMBER, a),)), kinds.Instance(
            cls=other, settled=((kinds.MEMBER, b),)
        ):
            return a == b if cls.key == other.key else None
        case _:
            return None


def _is_same(left: Kind, right: Kind) -> bool | None:
    """Whether both are None, or one constant, or one member of an Enum."""
    if (same := _is_same_member(left, right)) is not None:
        return same
    a, b = (left, right) if right == kinds.NONE else (right, left)
    if b != kinds.NONE:
        return True if isinstance(a, kinds.Const) and isinstance(b, kinds.Const) and a.value is b.value else None
    if a == kinds.NONE:
        return True
    return None if a == UNKNOWN or kinds.NONE in kinds.options(a) else False


def _report_search(frame: Frame, node: ast.AST, item: Kind, container: Kind) -> None:
    """What `item in container` looks at, and calls."""
    operators.look_at_text(frame, node, item, container)
    protocols.call(frame, node, container, "__contains__", (item,))
    if isinstance(container, kinds.Sequence) and container.type == "range":
        untraced_sizes.report_sought(frame, node)
    if isinstance(container, kinds.Dictionary) or (isinstance(container, kinds.Sequence) and container.type == "set"):
        protocols.looked_up(frame, node, item)
    tensor = _compared_by_value(item, container)
    if tensor is not None:
        frame.emit("branch", node, construct="in", receiver=tensor, args=(container,), confidence=tensor.confidence)
    if kinds.tensor_part(container) is not None:
        frame.emit(
            "branch",
            node,
            construct="in-tensor",
            receiver=container,
            args=(item,),
            confidence=_sureness_of_search(item, container),
        )


def _sureness_of_search(item: Kind, container: Kind) -> Confidence:
    """How sure it is that this searches a tensor. What is only taken for one, and asked for something that is not seen
    to be a number or a tensor, is as likely a dict that is asked for a key."""
    sure = sureness(container)
    is_value = isinstance(item, kinds.Const | kinds.Scalar) or kinds.tensor_part(item) is not None
    return sure if sure == Confidence.HIGH or is_value else Confidence.LOW


def _contains(container: Kind, item: Kind) -> bool | None:
    """Whether a constant is in a container, where that is known."""
    if not isinstance(item, kinds.Const):
        return None
    match container:
        case kinds.Sequence(items=tuple(items)) if all(_is_told_apart(item, each) for each in items):
            return any(isinstance(each, kinds.Const) and each.value == item.value for each in items)
        case kinds.Dictionary(entries=entries):
            # What else is in a dict is not known, nor what is in it on one path only.
            if container.closed and all(key != item.value for key, _ in entries):
                return False
            found = next((kind for key, kind in entries if key == item.value), UNKNOWN)
            return None if found == UNKNOWN or kinds.OBJECT in kinds.options(found) else True
        case _:
            return None


def _compared_by_value(left: Kind, right: Kind) -> kinds.Tensor | None:
    """The tensor of `left in right` whose truth is asked for: a tensor that is looked for in a sequence.

    A constant is found by Dynamo without a look at the tensors there (`None in (query, key)`), and what is in a set by
    its identity. A tensor is never a text nor None, without a look at it: `mode in ("max", "mean")`.
    """
    if not isinstance(right, kinds.Sequence) or right.type == "set" or _holds_texts(right):
        return None
    items = kinds.tensor_part(kinds.element(right)) if left == UNKNOWN else None
    return kinds.tensor_part(left) or (replace(items, confidence=Confidence.LOW) if items is not None else None)


def _holds_texts(container: kinds.Sequence) -> bool:
    """Whether all that is known to be in a sequence is a text, or None."""
    return all(_is_text(option) for option in kinds.options(kinds.element(container)))


def _is_text(kind: Kind) -> bool:
    return kind == kinds.STR or (isinstance(kind, kinds.Const) and (kind.value is None or isinstance(kind.value, str)))


def _is_told_apart(constant: kinds.Const, item: Kind) -> bool:
    """Whether it is known if an item is this constant: it is one, or surely a tensor where None is looked for."""
    is_tensor = isinstance(item, kinds.Tensor) and item.confidence == Confidence.HIGH
    return isinstance(item, kinds.Const) or (constant == kinds.NONE and is_tensor)


def _constant_compare(op: ast.cmpop, a: Any, b: Any) -> Kind:
    try:
        match op:
            case ast.Eq():
                return kinds.Const(a == b)
            case ast.NotEq():
                return kinds.Const(a != b)
            case ast.Lt():
                return kinds.Const(a < b)
            case ast.LtE():
                return kinds.Const(a <= b)
            case ast.Gt():
                return kinds.Const(a > b)
            case ast.GtE():
                return kinds.Const(a >= b)
    except TypeError:
        pass
    return BOOL
