"""Modules that hold a recurrent layer, where all that is in them is gone through.

Dynamo refuses to look at an RNN, LSTM or GRU, and so at an iterator that comes to one: `self.parameters()`. What takes
the first thing only (`next(self.parameters())`) mostly does not come to it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

_OF_ALL = frozenset({"parameters", "named_parameters", "modules", "named_modules"} | {"children", "named_children"})
_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN"})
_DEEPEST = 4
"""How many modules within modules are looked into."""


def report(frame: Frame, receiver: kinds.Instance, name: str, node: ast.AST) -> None:
    """Report a method of a module that goes through all that it holds, if a recurrent layer is among that."""
    if name not in _OF_ALL or not frame.is_heard:
        return
    depth = 0 if name.endswith("children") else _DEEPEST
    if _holds_recurrent(frame.inspector, receiver, depth) and not _is_left_early(frame, node):
        frame.emit(
            "call",
            node,
            callee=f"torch.nn.Module.{name}",
            construct="over-recurrent",
            receiver=receiver,
            confidence=Confidence.MEDIUM,
        )


def _holds_recurrent(inspector: Inspector, base: kinds.Instance, depth: int) -> bool:
    return inspector.derived(
        ("holds recurrent", base, depth),
        lambda: any(_is_recurrent(inspector, kind, depth) for kind in inspector.assigned(base).values()),
    )


def _is_recurrent(inspector: Inspector, kind: Kind, depth: int) -> bool:
    match kind:
        case kinds.External(cls=cls):
            return cls in _RECURRENT
        case kinds.Instance(module=True) if depth:
            return _holds_recurrent(inspector, kind, depth - 1)
        case _:
            return False


def _is_left_early(frame: Frame, node: ast.AST) -> bool:
    """Whether only the first things may be taken: by `next`, or by a loop that is left."""
    statement = frame.statement
    for part in walk(statement) if statement is not None else ():
        match part:
            case ast.Call(func=ast.Name(id="next" | "any" | "all"), args=[given, *_]):
                if any(each is node for each in walk(given)):
                    return True
    if not isinstance(statement, ast.For) or all(each is not node for each in walk(statement.iter)):
        return False
    return any(isinstance(each, ast.Return | ast.Break) for line in statement.body for each in walk(line))
