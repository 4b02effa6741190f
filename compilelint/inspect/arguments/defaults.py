"""What parameters are that a call leaves at their defaults. A list or dict there is the same one in all such calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind

_FILLED = ("list", "set", "deque")


def from_default(defaults: Mapping[str, ast.expr], name: str, default: Callable[[ast.expr], Kind]) -> Kind:
    """What a default alone says of a parameter, whoever gives it what else."""
    if name not in defaults:
        return UNKNOWN
    kind = default(defaults[name])
    match kind:
        case kinds.Const(value=None):
            return kind
        case kinds.Const(value=bool() | str()):
            return kinds.widen(kind)
        case kinds.Const(value=int() | float()):
            # A number is often only the default of what may also be a tensor (`scale=1.0`).
            return kinds.widen(kind)
        case kinds.Reference() | kinds.ProjectClass() | kinds.Function():
            return kind
        case kinds.Sequence(type=type_) if type_ in _FILLED:
            # What it holds others may have put there, and others may give another one.
            return kinds.Sequence(type_, UNKNOWN, default=True)
        case kinds.Dictionary(type=type_):
            return kinds.Dictionary(UNKNOWN, type=type_, default=True)
        case _:
            return UNKNOWN


def kept_by_default(kind: Kind) -> Kind:
    """What a call leaves at its default: where that can be filled, all such calls fill the same one."""
    is_filled = isinstance(kind, kinds.Dictionary) or (isinstance(kind, kinds.Sequence) and kind.type in _FILLED)
    return replace(kind, default=True) if is_filled else kind


def is_by_default(kind: Kind | None) -> bool:
    """Whether it is what a parameter is by default, which all calls share."""
    return isinstance(kind, kinds.Sequence | kinds.Dictionary) and kind.default
