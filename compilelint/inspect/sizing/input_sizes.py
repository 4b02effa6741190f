"""Sizes of inputs, as kinds: which numbers of a `torch.Size` may be others in the next call.

Of batches, channels and features there are mostly as many in each. What follows a number from function to function
is its kind; how it is spelled where it is used (`sizes.py`) tells more of those that never leave their function.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import INT, SIZE, Kind
from compilelint.inspect.sizing import parameter_names

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call
    from compilelint.inspect.frame import Frame

OF_NO_INPUT = kinds.Sequence("tuple", INT)
OF_ANY_RANK = kinds.Sequence("tuple", SIZE)
"""`x.shape` of a tensor of which nobody knows how many dimensions it has."""


def shape(frame: Frame, owner: ast.expr, kind: Kind) -> Kind:
    """What `x.shape` is, `kind` to torch's signatures. That of a tensor which modules hold is the same in each call."""
    if frame.inspector.silent or not isinstance(kind, kinds.Sequence) or not _is_of_input(frame, owner):
        return kind
    if kind == OF_NO_INPUT:
        return OF_ANY_RANK
    return kind if kind.items is None else kinds.sequence("tuple", unpacked(len(kind.items)))


def _is_of_input(frame: Frame, owner: ast.expr) -> bool:
    """Whether a tensor may be another in each call: it has a name, or an object that was made inside holds it."""
    match owner:
        case ast.Name(id=name):
            return name not in parameter_names.names(frame)
        case ast.Attribute(value=ast.Name(id=name)):
            holder = frame.env.get(name)
            return isinstance(holder, kinds.Instance) and holder.fresh and not holder.module
        case _:
            return False


def size(frame: Frame, receiver: Kind | None, call: Call) -> Kind | None:
    """What `x.size()` and `x.size(dim)` give; None where torch's signatures know it as well."""
    match call.node, receiver:
        case ast.Call(func=ast.Attribute(value=owner)), kinds.Tensor(ndim=rank):
            whole = shape(frame, owner, OF_NO_INPUT if rank is None else kinds.sequence("tuple", (INT,) * rank))
        case _:
            return None
    if call.open_ended:
        return None
    match (*call.args, *call.keywords.values()), whole:
        case (), _:
            return whole
        case (kinds.Const(value=int(dim)),), kinds.Sequence():
            return dimension(whole, dim)
        case _:
            return None


def dimension(whole: kinds.Sequence, dim: int) -> Kind:
    """One number of a size."""
    if whole.items is not None:
        return whole.items[dim] if -len(whole.items) <= dim < len(whole.items) else INT
    return INT if dim in (0, -1) else whole.item


def unpacked(count: int) -> tuple[Kind, ...]:
    """The numbers of a size that has so many: of images those that are last differ, of sequences the one between."""
    first, last = (0, 0) if count == 1 else (2, count - 1) if count > 3 else (1, 1)
    return tuple(SIZE if first <= position <= last else INT for position in range(count))


def sliced(bounds: slice) -> Kind:
    """What a slice takes of a size: `x.shape[:2]`, `x.shape[-2:]`, `x.shape[:-1]`."""
    match bounds.start, bounds.stop:
        case ((None | 0), int(stop)) if stop > 0:
            return kinds.sequence("tuple", (INT, *(SIZE,) * (stop - 1)))
        case ((None | 0), _):
            return OF_NO_INPUT
        case int(start), None if start < 0:
            return kinds.sequence("tuple", (SIZE,) * -start)
        case _:
            return OF_ANY_RANK


def names(env: Mapping[str, Kind]) -> frozenset[str]:
    """The names of such numbers."""
    return frozenset(name for name, kind in env.items() if kind == SIZE)


def is_whole(kind: Kind) -> bool:
    """Whether it is a size of several numbers, of which one may be another in the next call."""
    return isinstance(kind, kinds.Sequence) and kind.type == "tuple" and SIZE in (kind.item, *(kind.items or ()))
