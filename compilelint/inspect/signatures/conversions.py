"""Methods that turn a tensor into one of another dtype, or into something that is no tensor."""

from __future__ import annotations

from functools import partial

from compilelint.inspect.kinds import (
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    DType,
    External,
    Kind,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    tensor_part,
)
from compilelint.inspect.signatures.calls import Call, dtype_named, is_given
from compilelint.inspect.signatures.rules import Rule, each

CASTS: dict[str, DType] = {
    **dict.fromkeys(("float", "double", "half", "bfloat16"), "float"),
    **dict.fromkeys(("long", "int", "short", "char", "byte"), "int"),
    "bool": "bool",
    **dict.fromkeys(("cfloat", "cdouble", "chalf"), "complex"),
}


def _cast(call: Call, *, dtype: DType) -> Kind:
    return call.give(dtype, call.tensor().ndim)


def _to(call: Call) -> Kind:
    """`x.to(dtype)`, `x.to(device)`, `x.to(device, dtype)`, `x.to(other)`."""
    tensor = call.tensor()
    dtype = tensor.dtype
    for kind in (
        *call.args[1:],
        *(call.keywords[name] for name in ("dtype", "other") if name in call.keywords),
    ):
        other = tensor_part(kind)
        if other is not None:
            dtype = other.dtype
        elif dtype_named(kind) is not None:
            dtype = dtype_named(kind)
        elif kind == UNKNOWN or kind == Python("dtype"):
            dtype = None
    return call.give(dtype, tensor.ndim)


def _type(call: Call) -> Kind:
    """The name of the type, or the tensor in another."""
    asked = call.get(1, "dtype")
    if not is_given(asked):
        return STR
    return call.give(_type_named(asked), call.tensor().ndim)


def _type_named(kind: Kind | None) -> DType | None:
    if isinstance(kind, Reference) and kind.name in TENSOR_TYPES:
        return TENSOR_TYPES[kind.name]
    return dtype_named(kind)


LEGACY_DTYPES: dict[str, DType] = {
    **dict.fromkeys(("Float", "Double", "Half", "BFloat16"), "float"),
    **dict.fromkeys(("Long", "Int", "Short", "Char", "Byte"), "int"),
    "Bool": "bool",
}
TENSOR_CLASSES = frozenset({"torch.Tensor", "torch.autograd.Variable"})
"""Of these every tensor is an instance."""
TENSOR_TYPES: dict[str, DType | None] = {
    "torch.Tensor": None,
    **{f"torch.{name}Tensor": dtype for name, dtype in LEGACY_DTYPES.items()},
    **{f"torch.cuda.{name}Tensor": dtype for name, dtype in LEGACY_DTYPES.items()},
}
"""The legacy types, which are annotations and constructors as well."""


def _type_as(call: Call) -> Kind:
    return call.give(call.tensor(1, "other").dtype, call.tensor().ndim)


def scalar_of(tensor: Tensor) -> Scalar:
    """A number read out of this tensor."""
    return Scalar(tensor.dtype if tensor.dtype is not None else "float")


def _item(call: Call) -> Kind:
    return scalar_of(call.tensor())


def _tolist(call: Call) -> Kind:
    tensor = call.tensor()
    kind: Kind = scalar_of(tensor)
    if isinstance(kind, Scalar) and tensor.dtype in (None, "int"):
        kind = Scalar(kind.type, listed=True)
    for _ in range(1 if tensor.ndim is None else min(tensor.ndim, 3)):
        kind = Sequence("list", kind)
    return kind


def _numpy(call: Call) -> Kind:
    return Array(call.tensor().dtype)


RULES: dict[str, Rule] = {
    **{name: partial(_cast, dtype=dtype) for name, dtype in CASTS.items()},
    "to": _to,
    "type": _type,
    "type_as": _type_as,
    "item": _item,
    "tolist": _tolist,
    **each("numpy __array__", _numpy),
    **each("equal allclose is_nonzero __bool__ __nonzero__ __contains__", lambda call: Scalar("bool")),
    **each("__int__ __long__ __index__", lambda call: Scalar("int")),
    "__float__": lambda call: Scalar("float"),
    "__complex__": lambda call: Scalar("complex"),
    **each("__len__ storage_offset", lambda call: INT),
    **each("backward __setitem__ __delitem__", lambda call: NONE),
    **each(
        "register_hook register_post_accumulate_grad_hook",
        lambda call: External("torch.utils.hooks.RemovableHandle"),
    ),
    "untyped_storage": lambda call: External("torch.UntypedStorage"),
}
