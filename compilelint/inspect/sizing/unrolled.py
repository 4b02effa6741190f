"""Loops over the parts of a tensor, or that count them: its size is a constant of the graph then, as by `range(n)`."""

from __future__ import annotations

import ast
import re

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.inspect.sizing.sizes import HELD, sureness_of_length, surest

COUNTED = "counted-to-size"
_OF_TIME = re.compile(r"(?:^|_)(?:step|frame|token)$|\w_t$")
"""Names of one of what there is in time. `t` alone is a tensor as often."""


def report_rounds(frame: Frame, target: ast.expr, iterable: ast.expr, kind: Kind) -> None:
    """Report `for x_t in x.unbind(1)`: the graph holds what is done for each part.

    Only where the name of a part says that there are more of them in one call than in the next: of coordinates, layers
    and heads there are as many in each.
    """
    if not any(isinstance(node, ast.Name) and _OF_TIME.search(node.id) for node in ast.walk(target)):
        return
    is_tensor = type(kind) is kinds.Tensor
    parts = [iterable] if is_tensor else _gone_through(iterable)
    if any(_has_name(part) and (is_tensor or _is_of_tensor(frame, part)) for part in parts):
        frame.emit("iterate", iterable, construct=HELD, confidence=surest(frame))


def report_counted(frame: Frame, loop: ast.While) -> None:
    """Report `while t < x.shape[1]: …; t += 1`: the graph holds what is done in each round."""
    for test in loop.test.values if isinstance(loop.test, ast.BoolOp) else (loop.test,):
        match test:
            case ast.Compare(
                left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() | ast.NotEq()], comparators=[right]
            ):
                counter, limit = (left, right) if _counts(loop, left) else (right, left)
                if not _counts(loop, counter):
                    continue
                size = counter if isinstance(limit, ast.Constant) else limit
                if (sure := sureness_of_length(frame, size, counter)) is not None:
                    frame.emit("iterate", loop.test, construct=COUNTED, confidence=min(sure, surest(frame)))
                    return


def _counts(loop: ast.While, counter: ast.expr) -> bool:
    """Whether each round of a loop changes a number by one: `t += 1`, or, of `len(steps)`, `steps.append(x)`."""
    match counter:
        case ast.Name(id=name):
            return any(_is_moved(statement, name) for statement in loop.body)
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return any(_is_lengthened(statement, name) for statement in loop.body)
        case _:
            return False


def _is_moved(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.AugAssign(target=ast.Name(id=moved), op=ast.Add() | ast.Sub(), value=by):
            return moved == name and _is_one(by)
        case ast.Assign(
            targets=[ast.Name(id=moved)], value=ast.BinOp(left=ast.Name(id=before), op=ast.Add() | ast.Sub(), right=by)
        ):
            return moved == before == name and _is_one(by)
        case _:
            return False


def _is_lengthened(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=added_to), attr="append"))):
            return added_to == name
        case ast.AugAssign(target=ast.Name(id=added_to), op=ast.Add(), value=ast.List(elts=[_])):
            return added_to == name
        case _:
            return False


def _gone_through(iterable: ast.expr) -> list[ast.expr]:
    """`x` and `y` of `enumerate(zip(x, y))`."""
    match iterable:
        case ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed" | "list" | "tuple"), args=args):
            return [part for arg in args for part in _gone_through(arg)]
        case _:
            return [iterable]


def _is_of_tensor(frame: Frame, node: ast.expr) -> bool:
    """Whether a part of what is gone through is a tensor, or all parts of one: `x.unbind(1)`, `torch.split(x, 1)`."""
    match node:
        case ast.Name():
            return _is_tensor(frame, node)
        case ast.Call(func=ast.Attribute(value=value, attr="unbind" | "split" as attr), args=args):
            is_function = isinstance(value, ast.Name) and value.id == "torch"
            if attr == "split" and not any(_is_one(arg) for arg in args[is_function : is_function + 1]):
                return False
            return _is_tensor(frame, args[0] if is_function and args else value)
        case ast.Call(func=ast.Attribute(attr="transpose" | "permute" | "movedim")):
            return _is_tensor(frame, node)
        case _:
            return False


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_tensor(frame: Frame, node: ast.expr) -> bool:
    return type(frame.inspector.peek(frame, node)) is kinds.Tensor


def _has_name(node: ast.expr) -> bool:
    """Whether the tensor that is gone through has a name of its own: `x` of `x.transpose(0, 1)`."""
    match node:
        case ast.Name():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch")), args=[owner, *_]):
            return _has_name(owner)
        case ast.Call(func=ast.Attribute(value=owner)):
            return _has_name(owner)
        case _:
            return False
