"""Which tuples are sizes of tensors: a `torch.Size` is a tuple to those who only know its kind."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind


def is_size(frame: Frame, node: ast.AST | None, kind: Kind) -> bool:
    """Whether an expression of this kind is spelled like a `torch.Size`, or names what was assigned as one."""
    match node:
        case _ if not isinstance(kind, kinds.Sequence):
            return False
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="Size")):
            return True
        case ast.Subscript(value=value, slice=ast.Slice()):
            return is_size(frame, value, kind)
        case ast.Name(id=name):
            assigned = _assigned(frame, name)
            return len(assigned) == 1 and not isinstance(assigned[0], ast.Name) and is_size(frame, assigned[0], kind)
        case _:
            return False


def _assigned(frame: Frame, name: str) -> list[ast.expr]:
    """What a function assigns to a name of its own."""
    body = ast.walk(frame.function.node) if frame.function is not None else ()
    return [
        part.value
        for part in body
        if isinstance(part, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)
    ]
