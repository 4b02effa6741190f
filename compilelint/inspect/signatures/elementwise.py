"""Operators that work element by element, and products of matrices."""

from __future__ import annotations

from functools import partial

from compilelint.inspect.kinds import (
    BOOL,
    UNKNOWN,
    Const,
    DType,
    Kind,
    Python,
    Scalar,
    Tensor,
    tensor_part,
)
from compilelint.inspect.signatures.calls import Call, dtype_asked, dtype_of, is_given, promoted
from compilelint.inspect.signatures.reductions import broadcast
from compilelint.inspect.signatures.rules import Rule, each

OPERATORS: dict[str, str] = {
    **dict.fromkeys(("add", "iadd", "radd"), "add"),
    **dict.fromkeys(("sub", "isub", "rsub"), "sub"),
    **dict.fromkeys(("mul", "imul", "rmul"), "mul"),
    **dict.fromkeys(("truediv", "itruediv", "rtruediv", "div", "idiv", "rdiv"), "div"),
    **dict.fromkeys(("floordiv", "ifloordiv", "rfloordiv"), "floor_divide"),
    **dict.fromkeys(("mod", "imod", "rmod"), "remainder"),
    **dict.fromkeys(("pow", "ipow", "rpow"), "pow"),
    **dict.fromkeys(("matmul", "imatmul", "rmatmul"), "matmul"),
    **dict.fromkeys(("and_", "and", "iand", "rand"), "bitwise_and"),
    **dict.fromkeys(("or_", "or", "ior", "ror"), "bitwise_or"),
    **dict.fromkeys(("xor", "ixor", "rxor"), "bitwise_xor"),
    **dict.fromkeys(("lshift", "ilshift", "rlshift"), "bitwise_left_shift"),
    **dict.fromkeys(("rshift", "irshift", "rrshift"), "bitwise_right_shift"),
    "invert": "bitwise_not",
    "inv": "bitwise_not",
    "neg": "neg",
    "pos": "positive",
    "abs": "abs",
    **{name: name for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "getitem": "__getitem__",
}
"""Names of the `operator` module (and dunder methods without their underscores) → operator of torch."""


def operands(call: Call) -> tuple[Kind, ...]:
    """The arguments that are combined: tensors and numbers, in order."""
    second = tuple(call.keywords[name] for name in ("other", "exponent", "min", "max") if name in call.keywords)
    return (*call.args[:2], *second)[:2]


def _ndim_of(kind: Kind) -> int | None:
    tensor = tensor_part(kind)
    if tensor is not None:
        return tensor.ndim
    if kind == BOOL:
        return None  # `a == b` of things that are not known; torch takes no truth for an operand
    return 0 if isinstance(kind, (Const, Python, Scalar)) else None


def combined_ndim(call: Call) -> int | None:
    """The dimensions that the operands broadcast to."""
    return broadcast(*(_ndim_of(kind) for kind in operands(call)))


def combined_dtype(call: Call) -> DType | None:
    """The dtype that the operands promote to; numbers count as in torch, by their class."""
    return promoted(*(dtype_of(kind) for kind in operands(call)))


def _divided(call: Call) -> Kind:
    rounding = call.keywords.get("rounding_mode")
    together = combined_dtype(call)
    if rounding is not None and rounding != Const(None):
        return call.give(together, combined_ndim(call))
    return call.give("complex" if together == "complex" else "float", combined_ndim(call))


def _matmul(call: Call) -> Kind:
    left, right = (tensor_part(kind) or Tensor() for kind in (*operands(call), UNKNOWN, UNKNOWN)[:2])
    dtype = promoted(left.dtype, right.dtype)
    if left.ndim is None or right.ndim is None:
        return call.give(dtype)
    if left.ndim == right.ndim == 1:
        return call.give(dtype, 0)
    if 1 in (left.ndim, right.ndim):
        return call.give(dtype, max(left.ndim, right.ndim) - 1)
    return call.give(dtype, max(left.ndim, right.ndim))


def _product(call: Call, *, ndim: int) -> Kind:
    return call.give(combined_dtype(call), ndim)


def _added(call: Call, *, ndim: int | None) -> Kind:
    return call.give(promoted(*(dtype_of(kind) for kind in call.args[:3])), ndim)


def _einsum(call: Call) -> Kind:
    equation = call.get(0, "equation")
    dtype = promoted(*(dtype_of(kind) for kind in call.args[1:]))
    if not isinstance(equation, Const) or not isinstance(equation.value, str):
        return call.give(dtype)
    text = equation.value.replace(" ", "")
    _, arrow, output = text.partition("->")
    if "." in text:
        return call.give(dtype)
    if not arrow:
        return call.give(dtype, sum(text.count(letter) == 1 for letter in set(text) - {","}))
    return call.give(dtype, len(output))


def _cumulated(call: Call) -> Kind:
    tensor = call.tensor()
    return call.give(dtype_asked(call, "int" if tensor.dtype == "bool" else tensor.dtype), tensor.ndim)


def _soft(call: Call) -> Kind:
    tensor = call.tensor()
    dtype: DType = "complex" if tensor.dtype == "complex" else "float"
    return call.give(dtype_asked(call, dtype), tensor.ndim)


def _searched(call: Call) -> Kind:
    kind = call.get(1, "input", "self")
    return call.give("int", _ndim_of(kind) if kind is not None else None)


def _complex(call: Call) -> Kind:
    return call.give("complex", combined_ndim(call))


RULES: dict[str, Rule] = {
    **each("div divide true_divide", _divided),
    "matmul": _matmul,
    **each("mm outer ger", partial(_product, ndim=2)),
    "bmm": partial(_product, ndim=3),
    "mv": partial(_product, ndim=1),
    **each("addmm addbmm addr", partial(_added, ndim=2)),
    "baddbmm": partial(_added, ndim=3),
    "addmv": partial(_added, ndim=1),
    "einsum": _einsum,
    **each("cumsum cumprod", _cumulated),
    **each("softmax log_softmax softmin gumbel_softmax logcumsumexp", _soft),
    "searchsorted": _searched,
    "bucketize": lambda call: call.give("int", _ndim_of(call.args[0]) if call.args else None),
    "bincount": lambda call: call.give("float" if is_given(call.get(1, "weights")) else "int", 1),
    "masked_select": lambda call: call.give(call.tensor().dtype, 1),
    "multinomial": lambda call: call.give("int", call.tensor().ndim),
    "tensordot": lambda call: call.give(combined_dtype(call)),
    "cdist": lambda call: call.give("float", combined_ndim(call)),
    **each("complex polar", _complex),
}
