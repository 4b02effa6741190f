"""einops: its functions give tensors of the dtype that they get, and the pattern tells how many dimensions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Sequence as Many

from compilelint.inspect.kinds import (
    INT,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    Kind,
    Sequence,
    Tensor,
    element,
    sequence,
    tensor_part,
)
from compilelint.report.confidence import Confidence

_AXIS = re.compile(r"\([^()]*\)|[^\s()]+")
"""One axis of what a pattern gives: a name, a number, or several in parentheses, which become one."""


def function(name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What a function of einops gives; Unknown for what is none of those that take tensors."""
    match name.rpartition(".")[2]:
        case "rearrange" | "repeat" | "reduce" if args:
            return _transformed(args[0], _axes(args[1] if len(args) > 1 else keywords.get("pattern", UNKNOWN)))
        case "einsum" if args:
            return _transformed(args[0], _axes(args[-1]))
        case "pack" if args:
            return sequence("tuple", (_transformed(args[0], None), Sequence("list", Sequence("tuple", INT))))
        case "unpack" if args:
            return Sequence("list", _transformed(args[0], None))
        case "parse_shape":
            return Dictionary(INT)
        case _:
            return UNKNOWN


def _transformed(given: Kind, ndim: int | None) -> Kind:
    """A list of tensors is taken as one, with one more dimension; arrays give arrays."""
    whole = element(given) if isinstance(given, Sequence) else given
    tensor = tensor_part(whole)
    if tensor is not None:
        return Tensor(tensor.dtype, ndim, tensor.confidence)
    return whole if isinstance(whole, Array) else Tensor(None, ndim, Confidence.MEDIUM)


def _axes(pattern: Kind) -> int | None:
    """How many dimensions stand on the right of a pattern's arrow; None where that depends on the tensor."""
    if not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        return None
    _, arrow, made = pattern.value.partition("->")
    axes = _AXIS.findall(made)
    return len(axes) if arrow and "..." not in axes and "…" not in axes else None
