"""Sizes of tensors, by how they are spelled: to their kinds a `torch.Size` is a tuple like any other."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind


def is_size(frame: Frame, node: ast.AST | None, kind: Kind) -> bool:
    """Whether an expression of this kind is spelled like a `torch.Size`, or names what was assigned as one."""
    return isinstance(kind, kinds.Sequence) and _is_spelled_as_size(frame, node, frozenset())


def compares_sizes(frame: Frame, node: ast.AST | None, passed: frozenset[str] = frozenset()) -> bool:
    """Whether the value of an expression is a comparison with a part of a size: not a bool where the size is dynamic.

    `not` decides, and gives a bool; of `a and b` it is `b` that is given where both hold. `passed` are the names that
    led here.
    """
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            is_decided = isinstance(ops[0], ast.Is | ast.IsNot)
            return not is_decided and any(_is_part_of_size(frame, side, passed) for side in (left, *others))
        case ast.BoolOp(values=[*_, last]):
            return compares_sizes(frame, last, passed)
        case ast.Call(func=ast.Name(id="bool"), args=[value]) | ast.NamedExpr(value=value):
            return compares_sizes(frame, value, passed)
        case ast.Name(id=name) if name not in passed:
            assigned = _assigned(frame, name)
            return len(assigned) == 1 and compares_sizes(frame, assigned[0], passed | {name})
        case _:
            return False


def _is_part_of_size(frame: Frame, node: ast.expr, passed: frozenset[str]) -> bool:
    match node:
        case ast.Subscript(value=value):
            return _is_spelled_as_size(frame, value, passed)
        case ast.Call(func=ast.Attribute(attr="size"), args=[_]) | ast.Call(func=ast.Attribute(attr="numel"), args=[]):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_part_of_size(frame, left, passed) or _is_part_of_size(frame, right, passed)
        case ast.Name(id=name) if name not in passed:
            assigned = _assigned(frame, name)
            is_assigned = len(assigned) == 1 and _is_part_of_size(frame, assigned[0], passed | {name})
            return is_assigned or name in _unpacked_from_sizes(frame)
        case _:
            return False


def _is_spelled_as_size(frame: Frame, node: ast.AST | None, passed: frozenset[str]) -> bool:
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="Size")):
            return True
        case ast.Subscript(value=value, slice=ast.Slice()):
            return _is_spelled_as_size(frame, value, passed)
        case ast.Name(id=name) if name not in passed:
            assigned = _assigned(frame, name)
            return len(assigned) == 1 and _is_spelled_as_size(frame, assigned[0], passed | {name})
        case _:
            return False


def _unpacked_from_sizes(frame: Frame) -> set[str]:
    """The names of a function's own that hold parts of sizes: `b, t, c = x.shape`."""
    body = ast.walk(frame.function.node) if frame.function is not None else ()
    return {
        name.id
        for part in body
        if isinstance(part, ast.Assign) and _is_spelled_as_size(frame, part.value, frozenset())
        for target in part.targets
        if isinstance(target, ast.Tuple | ast.List)
        for name in target.elts
        if isinstance(name, ast.Name)
    }


def _assigned(frame: Frame, name: str) -> list[ast.expr]:
    """What a function assigns to a name of its own."""
    body = ast.walk(frame.function.node) if frame.function is not None else ()
    return [
        part.value
        for part in body
        if isinstance(part, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)
    ]
