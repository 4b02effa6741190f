"""Facts that are one value each: names of torch and its surroundings, and the kinds that they give."""

from __future__ import annotations

from collections.abc import Mapping

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    Const,
    Dictionary,
    External,
    Kind,
    Python,
    Sequence,
    Tensor,
    join,
    sequence,
)
from compilelint.inspect.signatures.rules import words

NAMESPACES = frozenset(
    {
        "torch",
        "torch.nn.functional",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.sparse",
        "torch.nested",
        "torch.nn.init",
    }
)
PARAMETER_GROUPS = Sequence(
    "list", Dictionary(UNKNOWN, (("params", Sequence("list", Tensor(parameter=True))),), record=True)
)
"""What an optimizer updates, and the options for it, of which one tells nothing of the others."""
FUNCTIONS: Mapping[str, Kind] = {
    "torch._C._is_tracing": Const(False),
    "torch.ops.torchvision.nms": Tensor("int", 1),
    **dict.fromkeys(("torch.is_tensor", "torch.is_storage", "torch.is_complex", "torch.is_floating_point"), BOOL),
    **dict.fromkeys(("torch.is_grad_enabled", "torch.is_inference_mode_enabled", "torch.is_autocast_enabled"), BOOL),
    **dict.fromkeys(("torch.cuda.is_available", "torch.cuda.is_initialized", "torch.cuda.is_bf16_supported"), BOOL),
    **dict.fromkeys(("torch.backends.mps.is_available", "torch.backends.mkldnn.is_available"), BOOL),
    **dict.fromkeys(("torch.cuda.device_count", "torch.cuda.current_device", "torch.cuda.memory_allocated"), INT),
    **dict.fromkeys(("torch.cuda.max_memory_allocated", "torch.cuda.memory_reserved"), INT),
    **dict.fromkeys(("torch.cuda.synchronize", "torch.cuda.empty_cache", "torch.save", "torch._assert"), NONE),
    **dict.fromkeys(("torch.cuda.manual_seed", "torch.cuda.manual_seed_all"), NONE),
    "torch.set_grad_enabled": External("torch.set_grad_enabled"),
    "torch.Generator.manual_seed": External("torch.Generator"),
    "torch.manual_seed": External("torch.Generator"),
    "torch.device": Python("device"),
    "torch.Size": Sequence("tuple", INT),
    **dict.fromkeys(("torch.distributed.is_available", "torch.distributed.is_initialized"), BOOL),
    **dict.fromkeys(("torch.distributed.get_rank", "torch.distributed.get_world_size"), INT),
    "torch.autograd.grad": Sequence("tuple", Tensor()),
    "torch.autograd.backward": NONE,
    "torch.nn.Transformer.generate_square_subsequent_mask": Tensor("float", 2),
    "torch.nn.utils.clip_grad_norm_": Tensor("float", 0),
    "torch.nn.utils.clip_grad_value_": NONE,
    "torch.nn.utils.get_total_norm": Tensor("float", 0),
    "torch.nn.utils.parameters_to_vector": Tensor("float", 1),
    "torch.nn.utils.rnn.pad_sequence": Tensor(),
    "torch.nn.utils.rnn.pad_packed_sequence": sequence("tuple", (Tensor(), Tensor("int", 1))),
    "torch.nn.utils.rnn.pack_padded_sequence": External("torch.nn.utils.rnn.PackedSequence"),
    "torch.nn.utils.rnn.pack_sequence": External("torch.nn.utils.rnn.PackedSequence"),
    "torch.nn.utils.rnn.unpad_sequence": Sequence("list", Tensor()),
    "torch.distributions.kl_divergence": Tensor("float"),
    "torch.distributions.kl.kl_divergence": Tensor("float"),
    "torch.utils.dlpack.from_dlpack": Tensor(),
    "torch.broadcast_shapes": Sequence("tuple", INT),
    **dict.fromkeys(("torch._check", "torch._check_is_size", "torch._dynamo.mark_static_address"), NONE),
    **dict.fromkeys(("torch.distributed.barrier", "torch.distributed.broadcast"), NONE),
    "torch.cuda.get_device_capability": sequence("tuple", (INT, INT)),
    **{f"torch.nn.modules.utils._{name}": Sequence("tuple", INT) for name in ("single", "pair", "triple")},
    "torch.utils._pytree.tree_flatten": sequence("tuple", (Sequence("list", UNKNOWN), OBJECT)),
    "torch.utils._pytree.tree_leaves": Sequence("list", UNKNOWN),
    "torch._C._get_tracing_state": NONE,
    # Other than None in the workers of a loader only: they fetch data, and models are compiled in the program itself.
    "torch.utils.data.get_worker_info": NONE,
    **dict.fromkeys(("torch.sym_int", "torch.sym_max", "torch.sym_min", "torch.sym_sum"), INT),
    "torch.sym_float": FLOAT,
    "torch.sym_not": BOOL,
}
"""Functions of torch outside the namespaces of operators, or that give the same whatever they get."""
OF_DEVICES: Mapping[str, Kind] = {
    **dict.fromkeys(("is_available", "is_initialized"), BOOL),
    **dict.fromkeys(("device_count", "current_device"), INT),
}
"""What these give in every module of a backend: `torch.xpu.is_available()`."""
FIRST_ARGUMENT_BACK = frozenset(
    {
        *(f"torch.nn.utils.{name}" for name in ("weight_norm", "spectral_norm", "remove_weight_norm")),
        "torch.nn.utils.parametrizations.weight_norm",
        "torch.nn.utils.parametrizations.spectral_norm",
        "torch.nn.utils.parametrizations.orthogonal",
        "torch.autograd.Variable",
    }
)
"""They return what they are given, modules changed."""
PARAMETERS = frozenset(
    {
        "torch.nn.Parameter",
        "torch.nn.Buffer",
        "torch.nn.UninitializedParameter",
        "torch.nn.UninitializedBuffer",
    }
)
DISTRIBUTION_METHODS: Mapping[str, Kind] = {
    **dict.fromkeys(("sample", "rsample", "sample_n", "icdf", "enumerate_support"), Tensor()),
    **dict.fromkeys(("log_prob", "entropy", "cdf", "perplexity"), Tensor("float")),
}
DISTRIBUTION_ATTRIBUTES: Mapping[str, Kind] = {
    **dict.fromkeys(("mean", "mode", "variance", "stddev", "probs", "logits", "loc", "scale"), Tensor("float")),
}
TENSOR_ATTRIBUTES: Mapping[str, Kind] = {
    **dict.fromkeys(("nbytes", "itemsize", "output_nr", "_version"), INT),
    **dict.fromkeys(("requires_grad", "is_leaf", "retains_grad"), BOOL),
    **dict.fromkeys(("dtype", "grad_dtype"), Python("dtype")),
    "device": Python("device"),
    "layout": OBJECT,
    "name": join(STR, NONE),
    "grad_fn": OBJECT,
    "is_nested": BOOL,
    "_base": join(Tensor(), NONE),
}
SAME_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "data"})
DISTINCTIVE = words("""
    abs_ addmm amax amin argsort as_strided backward baddbmm bfloat16 bincount bmm chunk clamp clamp_
    clamp_max clamp_min contiguous cumprod cumsum detach detach_ element_size expand_as fill_ flatten
    gather half index_add index_add_ index_copy_ index_fill_ index_put_ index_select is_contiguous
    is_floating_point isfinite isnan item logical_and logical_not logical_or logsumexp masked_fill
    masked_fill_ masked_scatter masked_scatter_ masked_select matmul moveaxis movedim mul_ multinomial
    narrow new_empty new_full new_ones new_tensor new_zeros nonzero numel permute pin_memory
    register_hook repeat_interleave requires_grad_ reshape rsqrt scatter scatter_ scatter_add
    scatter_add_ sigmoid softmax squeeze sub_ swapaxes tolist topk transpose tril triu type_as unbind
    unflatten unsqueeze unsqueeze_ view view_as zero_ add_ div_ copy_ log_softmax argmax argmin
    retain_grad uniform_ normal_ repeat expand
""")
CLASSES_IN_LOWER_CASE = frozenset(
    {"no_grad", "enable_grad", "inference_mode", "autocast", "finfo", "iinfo", "profile", "record_function"}
)
CONSTANTS: Mapping[str, Kind] = {
    **{f"{module}.{name}": FLOAT for module in ("math", "torch", "numpy") for name in ("pi", "e", "inf", "nan")},
    "math.tau": FLOAT,
    "sys.maxsize": INT,
    "numpy.__version__": STR,
    "numpy.newaxis": NONE,
    "typing.TYPE_CHECKING": Const(False),
}
DTYPE_ATTRIBUTES: Mapping[str, Kind] = {
    "is_floating_point": BOOL,
    "is_complex": BOOL,
    "is_signed": BOOL,
    "itemsize": INT,
}
NUMBER_METHODS = frozenset({"is_integer", "bit_length", "as_integer_ratio", "hex", "conjugate"})
RETURN_FIELDS: Mapping[str, int] = {
    **dict.fromkeys(("values", "eigenvalues", "min", "mantissa", "sign", "Q", "U", "LU"), 0),
    **dict.fromkeys(("indices", "eigenvectors", "max", "exponent", "logabsdet", "R", "S", "pivots"), 1),
    **dict.fromkeys(("V", "Vh"), 2),
}
"""Names of the fields of torch.return_types → their position."""
MORE_TENSOR_METHODS = words("""
    to item tolist numpy size stride storage_offset __len__ backward register_hook split unique
    unique_consecutive norm type max min sort topk std var nonzero where apply_ map_ storage untyped_storage
""")
