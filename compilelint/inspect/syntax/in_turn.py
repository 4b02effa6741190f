"""Loops and comprehensions over what is written out, walked name by name, or in parts."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes
from compilelint.inspect.members.objects import is_object

_RANGE = kinds.Reference("builtins.range")
_MOST = 8
_MOST_OBJECTS = 5 * kinds.MAX_OPTIONS


def items_in_turn(frame: Frame, node: ast.expr, iterable: Kind) -> tuple[Kind, ...]:
    """The names over which a loop or a comprehension goes, or pairs with names, where it is walked for what it does.

    So does a script that compiles several methods: `for name in ("encode", "decode"): setattr(model, name,
    torch.compile(getattr(model, name)))`. Of functions and objects that are more than a kind can be one of, parts that
    are not; nothing of other loops: what all items have in common tells enough.
    """
    if not frame.inspector.seeks_effects:
        return ()
    if not isinstance(iterable, kinds.Sequence) or iterable.items is None:
        return _of_table(frame, node, iterable)
    items = iterable.items
    written = _in_class_body(frame, node)
    if len(written) == len(items):  # else the object has a list of its own
        items = written
    return items if len(items) <= _MOST and all(map(_has_name, items)) else _in_parts(items)


def goes_round_never(frame: Frame, node: ast.expr) -> bool:
    """Whether a loop counts to what is no number of rounds: `range(self.extra)`, with `extra=0`."""
    match node:
        case ast.Call(func=ast.Name(id="range") as func, args=args) if frame.inspector.peek(frame, func) == _RANGE:
            bounds = [_number(frame.inspector.peek(frame, arg)) for arg in args]
            known = [bound for bound in bounds if bound is not None]
            return len(known) == len(bounds) and 0 < len(known) < 3 and not range(*known)
        case _:
            return False


def _number(kind: Kind) -> int | None:
    return kind.value if isinstance(kind, kinds.Const) and isinstance(kind.value, int) else None


def _of_table(frame: Frame, node: ast.expr, iterable: Kind) -> tuple[Kind, ...]:
    """What a loop over a dict of functions or objects gives, which are more than a kind can be one of: `for name in
    OPERATIONS:`, where they are told apart by their names, `OPERATIONS.values()`, `OPERATIONS.items()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="values"), args=[]):
            return _in_parts(tuple(value for _, value in _entries(frame.inspector.peek(frame, owner))))
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
            return _in_parts(_rows(frame.inspector.peek(frame, owner)))
        case _ if _in_parts(_rows(iterable)):
            return tuple(kinds.Const(key) for key, _ in _entries(iterable))
        case _:
            return ()


def _rows(table: Kind) -> tuple[Kind, ...]:
    return tuple(kinds.sequence("tuple", (kinds.Const(key), value)) for key, value in _entries(table))


def _entries(table: Kind) -> tuple[tuple[kinds.Constant, Kind], ...]:
    return table.entries if isinstance(table, kinds.Dictionary) else ()


def _in_parts(items: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """What a benchmark goes through, `for f in (add, mul, …): torch.compile(f)(x)`."""
    if not kinds.MAX_OPTIONS < len(items) <= _MOST_OBJECTS or not any(map(_has_object, items)):
        return ()
    starts = range(0, len(items), kinds.MAX_OPTIONS)
    parts = (items[start : start + kinds.MAX_OPTIONS] for start in starts)
    return tuple(kinds.element(kinds.Sequence("tuple", UNKNOWN, part)) for part in parts)


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


def _has_object(item: Kind) -> bool:
    parts = item.items if isinstance(item, kinds.Sequence) else None
    return any(map(is_object, parts or (item,)))
