"""Operators that move elements about: views, joins, splits, indexing."""

from __future__ import annotations

from functools import partial

from compilelint.inspect.kinds import (
    INT,
    Const,
    DType,
    Kind,
    Python,
    Sequence,
    Tensor,
    element,
    sequence,
    tensor_part,
)
from compilelint.inspect.signatures.calls import (
    Call,
    count_sizes,
    dtype_asked,
    dtype_named,
    dtype_of,
    flag,
    is_given,
    is_int,
    length,
    promoted,
)
from compilelint.inspect.signatures.reductions import broadcast
from compilelint.inspect.signatures.rules import Rule, each

LIKE_FIRST = """
    transpose swapaxes swapdims movedim moveaxis narrow narrow_copy flip roll contiguous index_select
    gather scatter scatter_add scatter_reduce index_add index_copy index_fill index_put index_reduce
    masked_scatter put fill renorm select_scatter slice_scatter diagonal_scatter as_subclass requires_grad_
    pin_memory cpu cuda xpu mps channel_shuffle pixel_shuffle pixel_unshuffle
    conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d dropout alpha_dropout
    feature_dropout feature_alpha_dropout layer_norm batch_norm group_norm instance_norm rms_norm
    adaptive_avg_pool1d avg_pool1d max_pool1d max_pool2d max_pool3d threshold sparse_mask to_sparse
    coalesce addcmul addcdiv lerp
"""


def like_first(call: Call) -> Kind:
    """The dtype and dimensions of the first argument."""
    tensor = call.tensor()
    return call.give(tensor.dtype, tensor.ndim)


def _resized(call: Call) -> Kind:
    """`view(2, -1)`, `view((2, -1))`, `view(dtype)`."""
    sizes = call.args[1:] or tuple(call.keywords[name] for name in ("shape", "size") if name in call.keywords)
    tensor = call.tensor()
    if "dtype" in call.keywords or (len(sizes) == 1 and dtype_named(sizes[0]) is not None):
        return call.give(None, tensor.ndim)
    return call.give(tensor.dtype, count_sizes(sizes) if sizes else None)


def _permuted(call: Call) -> Kind:
    tensor = call.tensor()
    return call.give(tensor.dtype, tensor.ndim if tensor.ndim is not None else count_sizes(call.args[1:]))


def _like_other(call: Call) -> Kind:
    """`expand_as`, `view_as`: the first's elements in the second's dimensions."""
    return call.give(call.tensor().dtype, call.tensor(1, "other").ndim)


def _flattened(call: Call) -> Kind:
    tensor = call.tensor()
    start, end = call.get(1, "start_dim"), call.get(2, "end_dim")
    if start is None and end is None:
        return call.give(tensor.dtype, 1)
    first, last = _position(start or Const(0), tensor.ndim), _position(end or Const(-1), tensor.ndim)
    if tensor.ndim is None or first is None or last is None:
        return call.give(tensor.dtype)
    return call.give(tensor.dtype, max(tensor.ndim - (last - first), 1))


def _position(dim: Kind, ndim: int | None) -> int | None:
    if ndim is None or not isinstance(dim, Const) or not isinstance(dim.value, int):
        return None
    return dim.value + ndim if dim.value < 0 else dim.value


def _unflattened(call: Call) -> Kind:
    tensor, sizes = call.tensor(), call.get(2, "sizes")
    more = length(sizes) if sizes is not None else None
    return call.give(tensor.dtype, tensor.ndim + more - 1 if tensor.ndim is not None and more else None)


def _more(call: Call, *, by: int, dtype: DType | None = None) -> Kind:
    tensor = call.tensor()
    return call.give(dtype or tensor.dtype, max(tensor.ndim + by, 0) if tensor.ndim is not None else None)


def _transposed(call: Call) -> Kind:
    """`t()` takes no more than two dimensions, and is called for no fewer."""
    tensor = call.tensor()
    return call.give(tensor.dtype, 2 if tensor.ndim is None else tensor.ndim)


def _squeezed(call: Call) -> Kind:
    """How many dimensions go depends on their sizes."""
    tensor = call.tensor()
    return call.give(tensor.dtype, 0 if tensor.ndim == 0 else None)


def _repeated(call: Call) -> Kind:
    """As many dimensions as there are numbers of repeats."""
    return call.give(call.tensor().dtype, _count_repeats(call))


def _tiled(call: Call) -> Kind:
    tensor = call.tensor()
    return call.give(tensor.dtype, broadcast(_count_repeats(call), tensor.ndim))


def _count_repeats(call: Call) -> int | None:
    sizes = call.args[1:] or tuple(call.keywords[name] for name in ("repeats", "dims") if name in call.keywords)
    return count_sizes(sizes) if sizes else None


def _flat_without_dim(call: Call) -> Kind:
    """Works on the flattened tensor unless a dimension is named."""
    tensor = call.tensor()
    return call.give(tensor.dtype, tensor.ndim if is_given(call.get(2, "dim")) else 1)


def _masked(call: Call) -> Kind:
    """The mask broadcasts with the tensor."""
    tensor = call.tensor()
    return call.give(tensor.dtype, broadcast(tensor.ndim, call.tensor(1, "mask").ndim))


def _at_least(call: Call) -> Kind:
    """`atleast_2d(x)`; of several tensors, a tuple."""
    if len(call.args) != 1:
        return Sequence("tuple", call.give())
    tensor, least = call.tensor(), int(call.name[-2])
    return call.give(tensor.dtype, max(tensor.ndim, least) if tensor.ndim is not None else None)


def _members(call: Call) -> tuple[Kind, int | None]:
    """What a sequence of tensors has in common, and how many they are."""
    kind = call.get(0, "tensors") or Sequence("tuple", Tensor())
    return (element(kind) if isinstance(kind, Sequence) else kind), length(kind)


def _joined(call: Call, *, more: int = 0) -> Kind:
    kind = call.get(0, "tensors")
    items = kind.items if isinstance(kind, Sequence) and kind.items else None
    dtype = promoted(*(dtype_of(item) for item in items)) if items else dtype_of(_members(call)[0])
    one = tensor_part(_members(call)[0])
    ndim = one.ndim if one is not None else None
    return call.give(dtype, ndim + more if ndim is not None else None)


def _joined_dtype(call: Call) -> Kind:
    """`hstack` and its like: the dimensions depend on the first's."""
    joined = tensor_part(_joined(call))
    return call.give(joined.dtype if joined is not None else None)


def _parts(call: Call, *, less: int = 0) -> Kind:
    tensor = call.tensor()
    ndim = max(tensor.ndim - less, 0) if tensor.ndim is not None else None
    part = call.give(tensor.dtype, ndim)
    number = call.get(1, "chunks", "indices_or_sections", "split_size_or_sections", "split_size")
    sizes = length(number) if number is not None else None
    if sizes is not None and call.name in ("split", "split_with_sizes"):
        return sequence("tuple", (part,) * sizes)
    return Sequence("tuple", part)


def _where(call: Call) -> Kind:
    """With one argument, the indices of what is true."""
    if len(call.args) + len(call.keywords) == 1:
        return Sequence("tuple", call.give("int", 1))
    left, right = call.get(1, "input", "self"), call.get(2, "other")
    if left is None or right is None:
        return call.give()
    condition = call.tensor(0, "condition")
    return call.give(promoted(dtype_of(left), dtype_of(right)), broadcast(condition.ndim, _ndim(left), _ndim(right)))


def _ndim(kind: Kind) -> int | None:
    tensor = tensor_part(kind)
    if tensor is not None:
        return tensor.ndim
    return 0 if is_int(kind) or dtype_of(kind) is not None else None


def _nonzero(call: Call) -> Kind:
    as_tuple = flag(call.keywords.get("as_tuple"))
    if as_tuple:
        return Sequence("tuple", call.give("int", 1))
    return call.give("int", 2)


def _meshgrid(call: Call) -> Kind:
    many = call.args
    if len(many) == 1 and isinstance(many[0], Sequence):
        number, dtype = length(many[0]), dtype_of(element(many[0]))
    else:
        number, dtype = len(many), promoted(*(dtype_of(kind) for kind in many))
    grid = call.give(dtype, number)
    return sequence("tuple", (grid,) * number) if number else Sequence("tuple", grid)


def _cartesian_prod(call: Call) -> Kind:
    # Of one alone it is what is given; how many `*tensors` are nobody knows.
    return call.give(promoted(*(dtype_of(kind) for kind in call.args)), 2 if len(call.args) > 1 else None)


def _broadcast_tensors(call: Call) -> Kind:
    tensors = [tensor_part(kind) or Tensor() for kind in call.args]
    ndim = broadcast(*(tensor.ndim for tensor in tensors))
    return sequence("tuple", (call.give(tensor.dtype, ndim) for tensor in tensors))


def _size(call: Call) -> Kind:
    if is_given(call.get(1, "dim")):
        return INT
    return dimensions(call.tensor())


def dimensions(tensor: Tensor) -> Kind:
    """The shape (or strides) of a tensor."""
    if tensor.ndim is None:
        return Sequence("tuple", INT)
    return sequence("tuple", (INT,) * tensor.ndim)


def count_of_dimensions(tensor: Tensor) -> Kind:
    """`x.ndim`, `x.dim()`."""
    return INT if tensor.ndim is None else Const(tensor.ndim)


def _indexed(call: Call) -> Kind:
    """`x[key]`."""
    tensor = call.tensor()
    key = call.get(1)
    keys = key.items if isinstance(key, Sequence) and key.type == "tuple" and key.items is not None else (key,)
    return call.give(tensor.dtype, _indexed_ndim(tensor.ndim, keys))


def _indexed_ndim(ndim: int | None, keys: tuple[Kind | None, ...]) -> int | None:
    if ndim is None:
        return None
    gathered: list[int] = []
    for key in keys:
        match key:
            case Const(value=None):
                ndim += 1
            case Python(type="slice" | "ellipsis"):
                pass
            case Tensor(dtype="bool", ndim=int(count)):
                gathered.append(1)
                ndim -= count
            case Tensor(dtype="int", ndim=int(count)):
                gathered.append(count)
                ndim -= 1
            case _ if is_int(key):
                ndim -= 1
            case _:
                return None
    total = ndim + max(gathered, default=0)
    return total if total >= 0 else None


RULES: dict[str, Rule] = {
    **each(LIKE_FIRST, like_first),
    "masked_fill": _masked,
    **each("view reshape expand expand_copy broadcast_to view_copy", _resized),
    **each("permute permute_copy", _permuted),
    **each("expand_as view_as reshape_as", _like_other),
    "flatten": _flattened,
    "unflatten": _unflattened,
    **each("unsqueeze unfold diag_embed", partial(_more, by=1)),
    "view_as_real": partial(_more, by=1, dtype="float"),
    **each("select diagonal select_copy", partial(_more, by=-1)),
    "view_as_complex": partial(_more, by=-1, dtype="complex"),
    "squeeze": _squeezed,
    **each("t t_copy", _transposed),
    "repeat": _repeated,
    "tile": _tiled,
    **each("repeat_interleave take_along_dim", _flat_without_dim),
    **each("cat concat concatenate", _joined),
    "stack": partial(_joined, more=1),
    **each("hstack vstack dstack column_stack row_stack", _joined_dtype),
    "block_diag": lambda call: call.give(promoted(*map(dtype_of, call.args)), 2),
    "to_dense": lambda call: call.give(dtype_asked(call, call.tensor().dtype), call.tensor().ndim),
    **each("split chunk split_with_sizes tensor_split hsplit vsplit dsplit unsafe_chunk split_copy", _parts),
    **each("unbind unbind_copy", partial(_parts, less=1)),
    "where": _where,
    "nonzero": _nonzero,
    "meshgrid": _meshgrid,
    "cartesian_prod": _cartesian_prod,
    "broadcast_tensors": _broadcast_tensors,
    **each("atleast_1d atleast_2d atleast_3d", _at_least),
    **each("size stride", _size),
    **each("dim ndimension", lambda call: count_of_dimensions(call.tensor())),
    "__getitem__": _indexed,
}
