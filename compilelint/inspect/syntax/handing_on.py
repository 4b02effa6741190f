"""What the function that `torch.cond`, `while_loop` or `scan` is given hands on: its result must not share memory.

Neither with an operand, nor with what it captures, nor with another part of the result: Dynamo refuses all of these
("Encountered aliasing during higher order op tracing").
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect import kinds, names
from compilelint.inspect.frame import Frame
from compilelint.report.confidence import Confidence
from compilelint.source.index import flat_statements
from compilelint.source.nodes import walk

_VIEWS = frozenset(
    {"view", "view_as", "detach", "unsqueeze", "squeeze", "transpose", "permute", "t", "expand", "expand_as", "select"}
    | {"narrow", "unfold", "unbind", "chunk", "split", "diagonal", "swapaxes", "movedim"}
)
"""Methods of a tensor whose result shares its memory, whatever sizes and dtype it has."""
_TURNED = frozenset({"T", "mT", "H", "mH", "data"})


def report(frame: Frame) -> None:
    """Report the parts of a body's results that share memory with what it was given, or with each other."""
    if frame.route.body != "branch" or frame.function is None:
        return
    stored = _stored(frame.function.node)
    for result in _results(frame.function.node):
        told: set[str] = set()
        for part in _parts(result):
            how = _shared(frame, part, stored)
            if how is None and isinstance(part, ast.Name) and part.id in told and _is_tensor(frame, part.id):
                how = "twice"
            if isinstance(part, ast.Name):
                told.add(part.id)
            if how is not None:
                frame.emit(
                    "body-return", part, construct=frame.route.body, callee=how, confidence=_sureness(frame, part)
                )


def _results(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.expr]:
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    for statement in flat_statements(node.body):
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value


def _parts(result: ast.expr) -> Iterator[ast.expr]:
    """The tensors that a result is made of, as it is written."""
    match result:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from _parts(part)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _parts(body)
            yield from _parts(orelse)
        case _:
            yield result


def _stored(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that the body itself gives values to."""
    if isinstance(node, ast.Lambda):
        return frozenset()
    return frozenset(
        part.id
        for statement in node.body
        for part in walk(statement)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    )


def _shared(frame: Frame, part: ast.expr, stored: frozenset[str]) -> str | None:
    """How a part of the result comes from what was there before: as it is, as a view of it, or not at all."""
    match part:
        case ast.Name(id=name) if name not in stored and (_is_tensor(frame, name) or _is_unknown_operand(frame, name)):
            return "operand"
        case (
            ast.Call(func=ast.Attribute(value=viewed, attr=attr))
            | ast.Attribute(value=viewed, attr=attr)
            | ast.Subscript(value=ast.Call(func=ast.Attribute(value=viewed, attr=attr)))
        ) if attr in (_TURNED if isinstance(part, ast.Attribute) else _VIEWS):
            return "view" if _shared(frame, viewed, stored) else None
        case ast.Subscript(value=viewed, slice=index) if _is_basic(index):
            return "view" if _shared(frame, viewed, stored) else None
        case _:
            return None


def _is_basic(index: ast.expr) -> bool:
    """Whether an index leaves the memory where it is: `x[0]`, `x[:, 1:]`, not `x[mask]`."""
    match index:
        case ast.Constant(value=bool()):
            return False
        case ast.Slice() | ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.Tuple(elts=parts):
            return all(_is_basic(part) for part in parts)
        case _:
            return False


def _is_tensor(frame: Frame, name: str) -> bool:
    return isinstance(names.lookup(frame, name), kinds.Tensor)


def _is_unknown_operand(frame: Frame, name: str) -> bool:
    """Whether it is an operand of which nothing is known: they are tensors, mostly."""
    assert frame.function is not None
    given = frame.function.node.args
    return names.lookup(frame, name) == kinds.UNKNOWN and any(
        part.arg == name for part in (*given.posonlyargs, *given.args)
    )


def _sureness(frame: Frame, part: ast.expr) -> Confidence:
    """How sure it is that what is handed on is a tensor."""
    for node in walk(part):
        if isinstance(node, ast.Name):
            kind = names.lookup(frame, node.id)
            if isinstance(kind, kinds.Tensor):
                return kind.confidence
    return Confidence.MEDIUM
