"""Operators that take dimensions away: `sum`, `max`, `topk` …"""

from __future__ import annotations

from functools import partial
from typing import Literal

from compilelint.inspect.kinds import (
    BOOL,
    Const,
    DType,
    Kind,
    Sequence,
    Tensor,
    sequence,
    tensor_part,
)
from compilelint.inspect.signatures.calls import (
    Call,
    dtype_asked,
    dtype_of,
    flag,
    is_given,
    is_int,
    length,
    promoted,
)
from compilelint.inspect.signatures.rules import Rule

DtypeRule = DType | Literal["same", "summed"]


def reduced_ndim(ndim: int | None, dim: Kind | None, keepdim: Kind | None) -> int | None:
    """How many dimensions remain of `ndim` after a reduction over `dim` (None: over all)."""
    kept = flag(keepdim)
    if kept is None:
        return None
    if kept:
        return ndim
    if not is_given(dim):
        return 0
    gone = 1 if is_int(dim) else length(dim) if dim is not None else None
    if gone == 0:
        return 0
    return max(ndim - gone, 0) if ndim is not None and gone is not None else None


def reduced_dtype(dtype: DType | None, rule: DtypeRule) -> DType | None:
    """The dtype of a reduction: "summed" turns masks into integers."""
    if rule == "same":
        return dtype
    if rule == "summed":
        return "int" if dtype == "bool" else dtype
    return rule


def _reduce(call: Call, *, dtype: DtypeRule, dim_at: int = 1) -> Kind:
    tensor = call.tensor()
    dim = call.get(dim_at, "dim", "axis")
    keepdim = call.get(dim_at + 1, "keepdim", "keepdims")
    return call.give(
        dtype_asked(call, reduced_dtype(tensor.dtype, dtype)), reduced_ndim(tensor.ndim, dim, keepdim)
    )


def _deviation(call: Call) -> Kind:
    """`std(x, dim)` or `std(x, unbiased)`; `std_mean` gives two."""
    keywords = dict(call.keywords)
    args = call.args
    if len(args) > 1 and (args[1] == BOOL or (isinstance(args[1], Const) and isinstance(args[1].value, bool))):
        args = args[:1]
    dim = args[1] if len(args) > 1 else keywords.get("dim", keywords.get("axis"))
    keepdim = args[3] if len(args) > 3 else keywords.get("keepdim")
    one = call.give("float", reduced_ndim(call.tensor().ndim, dim, keepdim))
    return sequence("tuple", (one, one)) if call.name.endswith("_mean") else one


def _extremum(call: Call) -> Kind:
    """`x.max()`, `x.max(dim)` with indices, or `x.max(other)` element by element."""
    second = call.get(1, "dim", "axis", "other")
    if second is None:
        return call.give(call.tensor().dtype, 0)
    other = tensor_part(second)
    if other is not None:
        return elementwise(call, call.tensor(), other)
    return _with_indices(call)


def elementwise(call: Call, left: Tensor, right: Tensor) -> Tensor:
    """Two tensors combined by broadcasting, in the dtype that they promote to."""
    return call.give(promoted(left.dtype, right.dtype), broadcast(left.ndim, right.ndim))


def broadcast(*dims: int | None) -> int | None:
    """The number of dimensions that tensors of these numbers of dimensions broadcast to."""
    known = [ndim for ndim in dims if ndim is not None]
    return max(known) if known and len(known) == len(dims) else None


def _with_indices(call: Call, *, dim_at: int = 1, full: bool = False) -> Kind:
    """A pair of values and indices along one dimension (the last by default)."""
    tensor = call.tensor()
    dim = call.get(dim_at, "dim", "axis")
    ndim = (
        reduced_ndim(tensor.ndim, dim, call.get(dim_at + 1, "keepdim", "keepdims"))
        if full and not is_given(dim)
        else _without_one(tensor.ndim, call.get(dim_at + 1, "keepdim", "keepdims"))
    )
    if full and not is_given(dim):
        return call.give(tensor.dtype, 0)
    return sequence("tuple", (call.give(tensor.dtype, ndim), call.give("int", ndim)))


def _without_one(ndim: int | None, keepdim: Kind | None) -> int | None:
    kept = flag(keepdim)
    if ndim is None or kept is None:
        return None
    return ndim if kept else max(ndim - 1, 0)


def _ordered(call: Call) -> Kind:
    """As many dimensions as before: `sort`, `topk`, `cummax`."""
    tensor = call.tensor()
    return sequence("tuple", (call.give(tensor.dtype, tensor.ndim), call.give("int", tensor.ndim)))


def _aminmax(call: Call) -> Kind:
    tensor = call.tensor()
    one = call.give(
        tensor.dtype, reduced_ndim(tensor.ndim, call.keywords.get("dim"), call.keywords.get("keepdim"))
    )
    return sequence("tuple", (one, one))


def _quantile(call: Call) -> Kind:
    """`q` may itself have a dimension, which comes first."""
    q = call.get(1, "q")
    of_q = 0 if q is not None and not isinstance(q, Sequence) and tensor_part(q) is None else None
    part = tensor_part(q) if q is not None else None
    of_q = part.ndim if part is not None else of_q
    ndim = reduced_ndim(call.tensor().ndim, call.get(2, "dim"), call.get(3, "keepdim"))
    return call.give("float", ndim + of_q if ndim is not None and of_q is not None else None)


def _unique(call: Call) -> Kind:
    """The values, with the inverse and the counts where they are asked for."""
    tensor = call.tensor()
    sorted_first = call.name == "unique"
    offset = 1 if sorted_first else 0
    dim = call.get(3 + offset - 0 if sorted_first else 3, "dim")
    values = call.give(tensor.dtype, tensor.ndim if is_given(dim) else 1)
    extras = []
    for position, name in ((1 + offset, "return_inverse"), (2 + offset, "return_counts")):
        asked = flag(call.get(position, name))
        if asked is None:
            return Sequence("tuple", call.give())
        if asked:
            ndim = None if name == "return_inverse" and is_given(dim) else tensor.ndim
            extras.append(call.give("int", ndim if name == "return_inverse" else 1))
    return sequence("tuple", (values, *extras)) if extras else values


def _trace(call: Call) -> Kind:
    return call.give(reduced_dtype(call.tensor().dtype, "summed"), 0)


RULES: dict[str, Rule] = {
    **{name: partial(_reduce, dtype="summed") for name in ("sum", "nansum", "prod")},
    **{name: partial(_reduce, dtype="float") for name in ("mean", "nanmean", "logsumexp")},
    **{name: partial(_reduce, dtype="same") for name in ("amax", "amin")},
    **{name: partial(_reduce, dtype="bool") for name in ("all", "any")},
    **{name: partial(_reduce, dtype="int") for name in ("argmax", "argmin", "count_nonzero")},
    "norm": partial(_reduce, dtype="float", dim_at=2),
    **{name: _deviation for name in ("std", "var", "std_mean", "var_mean")},
    **{name: _extremum for name in ("max", "min")},
    **{name: partial(_with_indices, full=True) for name in ("median", "nanmedian")},
    "mode": _with_indices,
    "kthvalue": partial(_with_indices, dim_at=2),
    **{name: _ordered for name in ("sort", "topk", "cummax", "cummin")},
    "aminmax": _aminmax,
    **{name: _quantile for name in ("quantile", "nanquantile")},
    **{name: _unique for name in ("unique", "unique_consecutive")},
    "trace": _trace,
    **{name: lambda call: call.give(call.tensor().dtype, 0) for name in ("dot", "vdot", "det", "logdet")},
}
LINALG_RULES: dict[str, Rule] = {
    "norm": partial(_reduce, dtype="float", dim_at=2),
    "vector_norm": partial(_reduce, dtype="float", dim_at=2),
}
