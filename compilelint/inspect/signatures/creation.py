"""Functions that make a tensor of something else: `zeros`, `arange`, `tensor` …"""

from __future__ import annotations

from functools import partial

from compilelint.inspect.kinds import (
    Array,
    Const,
    DType,
    Kind,
    Python,
    Scalar,
    Sequence,
    Tensor,
    element,
    tensor_part,
)
from compilelint.inspect.signatures.calls import (
    Call,
    count_sizes,
    dtype_asked,
    dtype_named,
    dtype_of,
    is_given,
    is_int,
    promoted,
)
from compilelint.inspect.signatures.rules import Rule, each


def _sized(call: Call, *, dtype: DType) -> Kind:
    """`zeros(2, 3)`, `zeros((2, 3))`, `zeros(size=(2, 3))`."""
    sizes = call.args or tuple(call.keywords[name] for name in ("size",) if name in call.keywords)
    return call.give(dtype_asked(call, dtype), count_sizes(sizes) if sizes else None)


def _new_sized(call: Call) -> Kind:
    """`x.new_zeros(2, 3)`: the dtype of `x` unless asked otherwise."""
    sizes = call.args[1:] or tuple(call.keywords[name] for name in ("size",) if name in call.keywords)
    return call.give(dtype_asked(call, call.tensor().dtype), count_sizes(sizes) if sizes else None)


def _filled(call: Call) -> Kind:
    sizes, value = call.get(0, "size"), call.get(1, "fill_value")
    return call.give(
        dtype_asked(call, dtype_of(value) if value is not None else None),
        count_sizes((sizes,)) if sizes is not None else None,
    )


def _new_filled(call: Call) -> Kind:
    sizes = call.get(1, "size")
    return call.give(dtype_asked(call, call.tensor().dtype), count_sizes((sizes,)) if sizes is not None else None)


def _random_integers(call: Call) -> Kind:
    """`randint([low,] high, size)`."""
    sizes = call.keywords.get("size") or next((arg for arg in call.args if isinstance(arg, Sequence)), None)
    return call.give(dtype_asked(call, "int"), count_sizes((sizes,)) if sizes is not None else None)


def _range(call: Call) -> Kind:
    """Integers as long as every bound is one."""
    bounds = (
        *call.args[:3],
        *(call.keywords[name] for name in ("start", "end", "step") if name in call.keywords),
    )
    return call.give(dtype_asked(call, promoted(*(dtype_of(bound) for bound in bounds))), 1)


def _of_ndim(call: Call, *, dtype: DType, ndim: int) -> Kind:
    return call.give(dtype_asked(call, dtype), ndim)


def _like(call: Call) -> Kind:
    """`zeros_like(x)`."""
    tensor = call.tensor()
    return call.give(dtype_asked(call, tensor.dtype), tensor.ndim)


def _from_data(call: Call) -> Kind:
    """`tensor(data)`: as deep as the data nests."""
    data, dtype = call.get(0, "data", "obj"), call.get(1, "dtype")
    if data is None:
        return call.give()
    return call.give(dtype_named(dtype) if is_given(dtype) else data_dtype(data), data_ndim(data))


def _new_from_data(call: Call) -> Kind:
    """`x.new_tensor(data)`: the dtype of `x`, whatever the data is."""
    data = call.get(1, "data")
    return call.give(dtype_asked(call, call.tensor().dtype), data_ndim(data) if data is not None else None)


def data_ndim(data: Kind) -> int | None:
    """How many dimensions a tensor made of this value has."""
    match data:
        case Scalar() | Const(value=bool() | int() | float()) | Python(type="int" | "float" | "bool"):
            return 0
        case Sequence(items=()):
            return 1
        case Sequence():
            inner = data_ndim(element(data))
            return None if inner is None else inner + 1
        case _:
            tensor = tensor_part(data)
            return tensor.ndim if tensor is not None else None


def legacy_ndim(args: tuple[Kind, ...]) -> int | None:
    """How many dimensions `LongTensor(2, 3)` has, which takes sizes, and `LongTensor([2, 3])`, which takes data.

    A tuple may be either: the sizes of a `torch.Size` are taken.
    """
    match args:
        case ():
            return 1
        case (Sequence(type="list") | Tensor() as data,):
            return data_ndim(data)
        case _:
            return len(args) if all(is_int(arg) for arg in args) else None


def data_dtype(data: Kind) -> DType | None:
    """The dtype of a tensor made of this value."""
    match data:
        case Sequence(items=tuple(items)) if items:
            return promoted(*(data_dtype(item) for item in items))
        case Sequence():
            return data_dtype(element(data))
        case Array(dtype=dtype):
            return dtype
        case _:
            return dtype_of(data)


RULES: dict[str, Rule] = {
    **each("zeros ones empty rand randn empty_strided", partial(_sized, dtype="float")),
    **each("new_zeros new_ones new_empty", _new_sized),
    "full": _filled,
    "new_full": _new_filled,
    "new_tensor": _new_from_data,
    "randint": _random_integers,
    "arange": _range,
    "randperm": partial(_of_ndim, dtype="int", ndim=1),
    "eye": partial(_of_ndim, dtype="float", ndim=2),
    **each("tril_indices triu_indices", partial(_of_ndim, dtype="int", ndim=2)),
    **each(
        "range linspace logspace hann_window hamming_window blackman_window bartlett_window kaiser_window",
        partial(_of_ndim, dtype="float", ndim=1),
    ),
    **each("zeros_like ones_like empty_like full_like randint_like rand_like randn_like", _like),
    **each("tensor as_tensor asarray from_numpy from_dlpack scalar_tensor", _from_data),
}
