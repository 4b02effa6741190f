"""Operators that take dimensions away: `sum`, `max`, `topk` …"""

from __future__ import annotations

from functools import partial
from typing import Literal

from compilelint.inspect.kinds import (
    UNKNOWN,
    Const,
    DType,
    Kind,
    Python,
    Tensor,
    is_bool,
    join,
    sequence,
    tensor_part,
)
from compilelint.inspect.signatures.calls import (
    Call,
    dtype_asked,
    flag,
    is_given,
    is_int,
    length,
    promoted,
)
from compilelint.inspect.signatures.rules import Rule, each
from compilelint.report.confidence import Confidence

DtypeRule = DType | Literal["same", "summed", "floating"]


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
    """The dtype of a reduction: "summed" makes integers of masks, "floating" floats of all but complex."""
    if rule == "same":
        return dtype
    if rule == "summed":
        return "int" if dtype == "bool" else dtype
    if rule == "floating":
        return "complex" if dtype == "complex" else "float"
    return rule


def _reduce(call: Call, *, dtype: DtypeRule, dim_at: int = 1) -> Kind:
    tensor = call.tensor()
    dim = call.get(dim_at, "dim", "axis")
    keepdim = call.get(dim_at + 1, "keepdim", "keepdims")
    return call.give(dtype_asked(call, reduced_dtype(tensor.dtype, dtype)), reduced_ndim(tensor.ndim, dim, keepdim))


def _deviation(call: Call) -> Kind:
    """`std(x, dim)` or `std(x, unbiased)`; `std_mean` gives two."""
    second = call.get(1, "dim", "axis")
    dim = None if second is not None and _is_bool(second) else second
    one = call.give("float", reduced_ndim(call.tensor().ndim, dim, call.get(3, "keepdim")))
    return sequence("tuple", (one, one)) if call.name.endswith("_mean") else one


def _is_bool(kind: Kind) -> bool:
    return is_bool(kind) or (isinstance(kind, Const) and isinstance(kind.value, bool))


def _extremum(call: Call) -> Kind:
    """`x.max()`, `x.max(dim)` with indices, or `x.max(other)` element by element."""
    second = call.get(1, "dim", "axis", "other")
    if second is None:
        return call.give(call.tensor().dtype, 0)
    other = tensor_part(second)
    if other is not None:
        return elementwise(call, call.tensor(), other)
    pair = _with_indices(call)
    if second == UNKNOWN and call.args[1:] == (UNKNOWN,):  # a dimension, or another tensor
        return join(pair, Tensor(call.tensor().dtype, None, min(call.confidence, Confidence.MEDIUM)))
    return pair


def elementwise(call: Call, left: Tensor, right: Tensor) -> Tensor:
    """Two tensors combined by broadcasting, in the dtype that they promote to."""
    return call.give(promoted(left.dtype, right.dtype), broadcast(left.ndim, right.ndim))


def broadcast(*dims: int | None) -> int | None:
    """The number of dimensions that tensors of these numbers of dimensions broadcast to."""
    known = [ndim for ndim in dims if ndim is not None]
    return max(known) if known and len(known) == len(dims) else None


def _middle(call: Call) -> Kind:
    """`x.median()`, or `x.median(dim)` with indices."""
    return _with_indices(call) if is_given(call.get(1, "dim")) else call.give(call.tensor().dtype, 0)


def _with_indices(call: Call, *, dim_at: int = 1) -> Kind:
    """A pair of values and indices along one dimension (the last by default)."""
    tensor = call.tensor()
    ndim = _without_one(tensor.ndim, call.get(dim_at + 1, "keepdim", "keepdims"))
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
    one = call.give(tensor.dtype, reduced_ndim(tensor.ndim, call.keywords.get("dim"), call.keywords.get("keepdim")))
    return sequence("tuple", (one, one))


def _quantile(call: Call) -> Kind:
    """Where `q` has a dimension itself, it comes first."""
    q = call.get(1, "q")
    part = tensor_part(q) if q is not None else None
    more = part.ndim if part is not None else 0 if isinstance(q, (Const, Python)) else None
    ndim = reduced_ndim(call.tensor().ndim, call.get(2, "dim"), call.get(3, "keepdim"))
    return call.give("float", ndim + more if ndim is not None and more is not None else None)


def _unique(call: Call) -> Kind:
    """The values, with the inverse and the counts where they are asked for."""
    tensor = call.tensor()
    at = 2 if call.name == "unique" else 1
    inverse, counts = flag(call.get(at, "return_inverse")), flag(call.get(at + 1, "return_counts"))
    has_dim = is_given(call.get(at + 2, "dim"))
    values = call.give(tensor.dtype, tensor.ndim if has_dim else 1)
    if inverse is None or counts is None:
        return UNKNOWN
    extras = [call.give("int", 1 if has_dim else tensor.ndim)] * inverse + [call.give("int", 1)] * counts
    return sequence("tuple", (values, *extras)) if extras else values


def _trace(call: Call) -> Kind:
    return call.give(reduced_dtype(call.tensor().dtype, "summed"), 0)


RULES: dict[str, Rule] = {
    **each("sum nansum prod", partial(_reduce, dtype="summed")),
    **each("mean nanmean logsumexp", partial(_reduce, dtype="floating")),
    **each("amax amin", partial(_reduce, dtype="same")),
    **each("all any", partial(_reduce, dtype="bool")),
    **each("argmax argmin count_nonzero", partial(_reduce, dtype="int")),
    "norm": partial(_reduce, dtype="float", dim_at=2),
    **each("std var std_mean var_mean", _deviation),
    **each("max min", _extremum),
    **each("median nanmedian", _middle),
    "mode": _with_indices,
    "kthvalue": partial(_with_indices, dim_at=2),
    **each("sort topk cummax cummin", _ordered),
    "aminmax": _aminmax,
    **each("quantile nanquantile", _quantile),
    **each("unique unique_consecutive", _unique),
    "trace": _trace,
    **each("dot vdot", lambda call: call.give(call.tensor().dtype, 0)),
}
LINALG_RULES: dict[str, Rule] = each("norm vector_norm", partial(_reduce, dtype="float", dim_at=2))
