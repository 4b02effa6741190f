"""torch.nn.functional, torch.nn.init and the smaller namespaces of torch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from compilelint.inspect.kinds import (
    Const,
    DType,
    Kind,
    sequence,
)
from compilelint.inspect.signatures import reductions
from compilelint.inspect.signatures.calls import Call, flag
from compilelint.inspect.signatures.reductions import broadcast
from compilelint.inspect.signatures.rules import Rule, each
from compilelint.inspect.signatures.shapes import like_first

LOSSES = """
    l1_loss mse_loss cross_entropy nll_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div
    smooth_l1_loss huber_loss soft_margin_loss hinge_embedding_loss margin_ranking_loss triplet_margin_loss
    cosine_embedding_loss ctc_loss poisson_nll_loss gaussian_nll_loss multi_margin_loss multilabel_margin_loss
    multilabel_soft_margin_loss triplet_margin_with_distance_loss linear_cross_entropy
"""
LIKE_FIRST = """
    dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout layer_norm rms_norm group_norm
    batch_norm instance_norm local_response_norm pad interpolate upsample upsample_nearest upsample_bilinear
    grid_sample conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d avg_pool1d avg_pool2d
    avg_pool3d lp_pool1d lp_pool2d lp_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
    max_unpool1d max_unpool2d max_unpool3d glu linear prelu pixel_shuffle pixel_unshuffle channel_shuffle
    normalize threshold leaky_relu hardtanh elu celu selu rrelu relu relu6 gelu silu mish hardswish
    hardsigmoid hardshrink softshrink softplus logsigmoid bilinear native_channel_shuffle
    scaled_dot_product_attention
"""
POOLS = """
    max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
    fractional_max_pool2d fractional_max_pool3d
"""


def _loss(call: Call) -> Kind:
    """One number, unless another reduction is asked for."""
    return call.give("float", loss_ndim(call.keywords))


def loss_ndim(keywords: Mapping[str, Kind]) -> int | None:
    """The dimensions that a loss with these options gives, None where `reduction` may be "none"."""
    if "reduce" in keywords or "size_average" in keywords:
        return None
    reduction = keywords.get("reduction", Const("mean"))
    return 0 if reduction in (Const("mean"), Const("sum"), Const("batchmean")) else None


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
    with_indices = flag(call.get(2 if call.name.startswith("adaptive") else 6, "return_indices"))
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


def _less(call: Call, *, by: int, dtype: DType | None = None) -> Kind:
    tensor = call.tensor(0, "input", "self", "A", "x")
    return call.give(dtype or tensor.dtype, max(tensor.ndim - by, 0) if tensor.ndim is not None else None)


def _decomposed(call: Call, *, parts: tuple[tuple[int, DType | None], ...]) -> Kind:
    """The factors of a matrix; each part says how many dimensions it has less, and its dtype."""
    ndim = call.tensor(0, "input", "self", "A").ndim
    return sequence(
        "tuple",
        (call.give(dtype, max(ndim - less, 0) if ndim is not None else None) for less, dtype in parts),
    )


def _matrix_norm(call: Call) -> Kind:
    ndim = call.tensor(0, "A").ndim
    kept = flag(call.get(3, "keepdim"))
    if ndim is None or kept is None:
        return call.give("float")
    return call.give("float", ndim if kept else max(ndim - 2, 0))


def _as_dtype(call: Call, *, dtype: DType) -> Kind:
    return call.give(dtype, call.tensor().ndim)


FUNCTIONAL: dict[str, Rule] = {
    **each(LIKE_FIRST, like_first),
    **each(LOSSES, _loss),
    **each(POOLS, _pooled),
    **each(" ".join(f"{name}_with_indices" for name in POOLS.split()), _pooled),
    "embedding": _embedding,
    "embedding_bag": partial(_of, dtype="float", ndim=2),
    "one_hot": _one_hot,
    "unfold": partial(_less, by=1),
    **each("fold affine_grid", partial(_of, dtype="float", ndim=None)),
    **each("cosine_similarity pairwise_distance", _similarity),
    "pdist": partial(_of, dtype="float", ndim=1),
    "multi_head_attention_forward": _attention,
}
LINALG: dict[str, Rule] = {
    **reductions.LINALG_RULES,
    **each("inv pinv cholesky matrix_power matrix_exp cross", like_first),
    "matrix_norm": _matrix_norm,
    "det": partial(_less, by=2),
    "cond": partial(_less, by=2, dtype="float"),
    "diagonal": partial(_less, by=1),
    **each("eigvalsh svdvals", partial(_less, by=1, dtype="float")),
    "eigh": partial(_decomposed, parts=((1, "float"), (0, None))),
    "eig": partial(_decomposed, parts=((1, "complex"), (0, "complex"))),
    "qr": partial(_decomposed, parts=((0, None), (0, None))),
    "svd": partial(_decomposed, parts=((0, None), (1, "float"), (0, None))),
    "slogdet": partial(_decomposed, parts=((2, None), (2, "float"))),
}
FFT: dict[str, Rule] = {
    **each(
        "fft ifft fft2 ifft2 fftn ifftn rfft rfft2 rfftn ihfft ihfft2 ihfftn",
        partial(_as_dtype, dtype="complex"),
    ),
    **each("irfft irfft2 irfftn hfft hfft2 hfftn", partial(_as_dtype, dtype="float")),
    **each("fftfreq rfftfreq", partial(_of, dtype="float", ndim=1)),
    **each("fftshift ifftshift", like_first),
}


def init_rule(name: str) -> Rule | None:
    """The rule of a function of torch.nn.init, which all give back the tensor that they fill."""
    return like_first if name.endswith("_") else None
