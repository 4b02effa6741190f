"""Tensors of one number that is known while tracing: `torch.tensor(3)`, `torch.div(n, 2)`, what is computed of such.

Where torch wants a size it takes such a tensor for the number that it is: nothing is read back, and the graph goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from compilelint.inspect.kinds import UNKNOWN, Const, Kind, Python, Tensor
from compilelint.inspect.signatures.conversions import CASTS

_MAKERS = frozenset({"torch.tensor", "torch.as_tensor"})
_NUMBERS = frozenset({"bool", "int", "float"})
_OF_TWO = frozenset({"max", "min"})
_EACH_ALONE = {
    *("add", "sub", "mul", "div", "true_divide", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum"),
    *("abs", "neg", "sign", "reciprocal", "square", "sqrt", "rsqrt", "exp", "exp2", "log", "log2", "log10"),
    *("ceil", "floor", "round", "trunc", "clamp", "clamp_min", "clamp_max"),
    *("clone", "detach", "cpu", "cuda", "to", "type", *CASTS),
}
"""What gives one number for one number. Of several numbers the graph makes one, which nobody knows before it ran."""


def mark(name: str, result: Kind, given: Sequence[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """The result of a function or method of torch, with a note if it is such a tensor."""
    if not isinstance(result, Tensor) or not given:
        return result
    is_one = _may_be_number(given[0]) if name in _MAKERS else _is_of_such_alone(name, (*given, *keywords.values()))
    return replace(result, foreseen=True) if is_one else result


def _may_be_number(kind: Kind) -> bool:
    """Whether it is a number, or nobody knows: what is one size is made of one number."""
    match kind:
        case Const(value=value):
            return isinstance(value, bool | int | float)
        case Python(type=type_):
            return type_ in _NUMBERS
        case _:
            return kind == UNKNOWN


def _is_of_such_alone(name: str, given: Sequence[Kind]) -> bool:
    tensors = [kind for kind in given if isinstance(kind, Tensor)]
    if not all(tensor.foreseen for tensor in tensors):
        return False
    operator = name.rpartition(".")[2]
    return (operator in _EACH_ALONE or (operator in _OF_TWO and len(tensors) > 1)) and all(
        isinstance(kind, Tensor | Const | Python) for kind in given
    )
