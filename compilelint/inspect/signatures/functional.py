"""torch.nn.functional, torch.nn.init and the smaller namespaces of torch."""

from __future__ import annotations

from functools import partial

from compilelint.inspect.kinds import (
    Const,
    DType,
    Kind,
    Sequence,
    Tensor,
    sequence,
)
from compilelint.inspect.signatures import reductions
from compilelint.inspect.signatures.calls import Call, flag, is_given
from compilelint.inspect.signatures.reductions import broadcast
from compilelint.inspect.signatures.rules import Rule
from compilelint.inspect.signatures.shapes import like_first

LOSSES = """
l1_loss mse_loss cross_entropy nll_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div smooth_l1_loss
huber_loss soft_margin_loss hinge_embedding_loss margin_ranking_loss triplet_margin_loss cosine_embedding_loss ctc_loss
poisson_nll_loss gaussian_nll_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
triplet_margin_with_distance_loss linear_cross_entropy
""".split()
LIKE_FIRST = """
dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout layer_norm rms_norm group_norm batch_norm
instance_norm local_response_norm pad interpolate upsample upsample_nearest upsample_bilinear grid_sample conv1d conv2d
conv3d conv_transpose1d conv_transpose2d conv_transpose3d avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d
lp_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d max_unpool1d max_unpool2d max_unpool3d glu linear
prelu pixel_shuffle pixel_unshuffle channel_shuffle normalize threshold leaky_relu hardtanh elu celu selu rrelu relu
relu6 gelu silu mish hardswish hardsigmoid hardshrink softshrink softplus softsign tanhshrink logsigmoid sigmoid tanh
bilinear native_channel_shuffle scaled_dot_product_attention
""".split()
POOLS_WITH_INDICES = [
    f"{kind}max_pool{count}d" for kind in ("", "adaptive_", "fractional_") for count in (1, 2, 3) if (kind, count)
]


def _loss(call: Call) -> Kind:
    """One number, unless another reduction is asked for."""
    return call.give("float", loss_ndim(call.keywords))


def loss_ndim(keywords: object) -> int | None:
    """The dimensions that a loss with these options gives, None where `reduction` may be "none"."""
    options = dict(keywords) if isinstance(keywords, dict) else dict(getattr(keywords, "items", dict)())
    if "reduce" in options or "size_average" in options:
        return None
    reduction = options.get("reduction")
    if reduction is None or reduction in (Const("mean"), Const("sum"), Const("batchmean")):
        return 0
    return None


def _embedding(call: Call) -> Kind:
    indices = call.tensor()
    dtype = call.tensor(1, "weight").dtype
    return call.give(dtype, indices.ndim + 1 if indices.ndim is not None else None)


def _one_hot(call: Call) -> Kind:
    indices = call.tensor()
    return call.give("int", indices.ndim + 1 if indices.ndim is not None else None)


def _pooled(call: Call) -> Kind:
    tensor = call.tensor()
    values = call.give(tensor.dtype, tensor.ndim)
    with_indices = flag(call.keywords.get("return_indices"))
    if with_indices or call.name.endswith("_with_indices"):
        return sequence("tuple", (values, call.give("int", tensor.ndim)))
    return values


def _similarity(call: Call) -> Kind:
    ndim = broadcast(call.tensor(0, "x1").ndim, call.tensor(1, "x2").ndim)
    return call.give("float", max(ndim - 1, 0) if ndim is not None else None)


def _of(call: Call, *, dtype: DType | None, ndim: int | None) -> Kind:
    return call.give(dtype, ndim)


def _attention(call: Call) -> Kind:
    return sequence("tuple", (call.give("float"), call.give("float")))


def _less(call: Call, *, by: int) -> Kind:
    tensor = call.tensor(0, "input", "self", "A", "x")
    return call.give(tensor.dtype, max(tensor.ndim - by, 0) if tensor.ndim is not None else None)


def _decomposed(call: Call, *, less: tuple[int, ...], dtypes: tuple[DType | None, ...]) -> Kind:
    ndim = call.tensor(0, "input", "self", "A").ndim
    return sequence(
        "tuple",
        (
            call.give(dtype, max(ndim - by, 0) if ndim is not None else None)
            for by, dtype in zip(less, dtypes, strict=True)
        ),
    )


def _matrix_norm(call: Call) -> Kind:
    ndim = call.tensor(0, "A").ndim
    kept = flag(call.get(3, "keepdim"))
    if ndim is None or kept is None:
        return call.give("float")
    return call.give("float", ndim if kept else max(ndim - 2, 0))


def _complex_like(call: Call, *, dtype: DType) -> Kind:
    return call.give(dtype, call.tensor().ndim)


def _first_itself(call: Call) -> Kind:
    """Filled in place and given back."""
    tensor = call.tensor(0, "tensor")
    return Tensor(tensor.dtype, tensor.ndim, tensor.confidence)


FUNCTIONAL: dict[str, Rule] = {
    **{name: like_first for name in LIKE_FIRST},
    **{name: _loss for name in LOSSES},
    **{name: _pooled for name in (*POOLS_WITH_INDICES, *(f"{name}_with_indices" for name in POOLS_WITH_INDICES))},
    "embedding": _embedding,
    "embedding_bag": partial(_of, dtype="float", ndim=2),
    "one_hot": _one_hot,
    "unfold": partial(_of, dtype="float", ndim=3),
    "fold": partial(_of, dtype="float", ndim=None),
    "affine_grid": partial(_of, dtype="float", ndim=None),
    "cosine_similarity": _similarity,
    "pairwise_distance": _similarity,
    "pdist": partial(_of, dtype="float", ndim=1),
    "multi_head_attention_forward": _attention,
}
LINALG: dict[str, Rule] = {
    **reductions.LINALG_RULES,
    **{name: like_first for name in ("inv", "pinv", "cholesky", "matrix_power", "matrix_exp", "cross")},
    "matrix_norm": _matrix_norm,
    **{name: partial(_less, by=2) for name in ("det", "cond")},
    **{name: partial(_less, by=1) for name in ("eigvalsh", "svdvals", "diagonal")},
    "eigh": partial(_decomposed, less=(1, 0), dtypes=("float", None)),
    "eig": partial(_decomposed, less=(1, 0), dtypes=("complex", "complex")),
    "qr": partial(_decomposed, less=(0, 0), dtypes=(None, None)),
    "svd": partial(_decomposed, less=(0, 1, 0), dtypes=(None, "float", None)),
    "slogdet": partial(_decomposed, less=(2, 2), dtypes=(None, "float")),
}
FFT: dict[str, Rule] = {
    **{
        name: partial(_complex_like, dtype="complex")
        for name in "fft ifft fft2 ifft2 fftn ifftn rfft rfft2 rfftn ihfft ihfft2 ihfftn".split()
    },
    **{name: partial(_complex_like, dtype="float") for name in "irfft irfft2 irfftn hfft hfft2 hfftn".split()},
    **{name: partial(_of, dtype="float", ndim=1) for name in ("fftfreq", "rfftfreq")},
    **{name: like_first for name in ("fftshift", "ifftshift")},
}


def init_rule(name: str) -> Rule | None:
    """The rule of a function of torch.nn.init, which all fill their first argument."""
    return _first_itself if name.endswith("_") else None


def is_sequence(kind: Kind | None) -> bool:
    """Whether the argument is a list or tuple."""
    return isinstance(kind, Sequence) and is_given(kind)
