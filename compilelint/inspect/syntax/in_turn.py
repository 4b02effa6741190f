"""Loops and comprehensions over names that are written out, walked name by name."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import attributes

_MOST = 8


def named_in_turn(frame: Frame, node: ast.expr, iterable: Kind) -> tuple[Kind, ...]:
    """The names over which a loop or a comprehension goes, or pairs with names, where it is walked for what it does.

    So does a script that compiles several methods: `for name in ("encode", "decode"): setattr(model, name,
    torch.compile(getattr(model, name)))`. Nothing of other loops: what all items have in common tells enough.
    """
    if not frame.inspector.seeks_effects or not isinstance(iterable, kinds.Sequence):
        return ()
    items = iterable.items or ()
    written = _in_class_body(frame, node)
    if len(written) == len(items):  # else the object has a list of its own
        items = written
    return items if len(items) <= _MOST and all(map(_has_name, items)) else ()


def _in_class_body(frame: Frame, node: ast.expr) -> tuple[Kind, ...]:
    """The names of `self.COMPILED`, as the class of the object, or a base of it, has them."""
    owner = frame.receiver.cls if isinstance(frame.receiver, kinds.Instance) else frame.receiver
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if isinstance(owner, kinds.ProjectClass):
            written = attributes.written_in_body(frame.inspector, owner, name)
            return written.items or () if isinstance(written, kinds.Sequence) else ()
        case _:
            return ()


def _has_name(item: Kind) -> bool:
    match item:
        case kinds.Const(value=str()):
            return True
        case kinds.Sequence(items=tuple(parts)):
            return any(isinstance(part, kinds.Const) and isinstance(part.value, str) for part in parts)
        case _:
            return False
