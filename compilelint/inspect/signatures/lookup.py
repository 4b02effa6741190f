"""The questions that the inspection asks of the table."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Instance,
    Kind,
    Method,
    Partial,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    join,
    sequence,
    tensor_part,
    type_name,
)
from compilelint.inspect.signatures import arrays, modules, stdlib
from compilelint.inspect.signatures.calls import Call
from compilelint.inspect.signatures.conversions import TENSOR_TYPES
from compilelint.inspect.signatures.entering import TRANSFORMS
from compilelint.inspect.signatures.names import canonical, is_logger_getter, is_module_class
from compilelint.inspect.signatures.rules import words
from compilelint.inspect.signatures.shapes import dimensions
from compilelint.inspect.signatures.table import split_name, table
from compilelint.inspect.signatures.tensors import operator_result
from compilelint.report.model import Confidence

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
FUNCTIONS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("torch.is_tensor", "torch.is_storage", "torch.is_complex", "torch.is_floating_point"), BOOL
    ),
    **dict.fromkeys(
        ("torch.is_grad_enabled", "torch.is_inference_mode_enabled", "torch.is_autocast_enabled"), BOOL
    ),
    **dict.fromkeys(
        ("torch.cuda.is_available", "torch.cuda.is_initialized", "torch.cuda.is_bf16_supported"), BOOL
    ),
    **dict.fromkeys(("torch.backends.mps.is_available", "torch.backends.mkldnn.is_available"), BOOL),
    **dict.fromkeys(
        ("torch.cuda.device_count", "torch.cuda.current_device", "torch.cuda.memory_allocated"), INT
    ),
    **dict.fromkeys(("torch.cuda.max_memory_allocated", "torch.cuda.memory_reserved"), INT),
    **dict.fromkeys(
        ("torch.cuda.synchronize", "torch.cuda.empty_cache", "torch.save", "torch._assert"), NONE
    ),
    **dict.fromkeys(("torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.set_grad_enabled"), NONE),
    "torch.manual_seed": External("torch.Generator"),
    "torch.device": Python("device"),
    "torch.Size": Sequence("tuple", INT),
    **dict.fromkeys(("torch.distributed.is_available", "torch.distributed.is_initialized"), BOOL),
    **dict.fromkeys(("torch.distributed.get_rank", "torch.distributed.get_world_size"), INT),
    "torch.autograd.grad": Sequence("tuple", Tensor()),
    "torch.autograd.backward": NONE,
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
    **dict.fromkeys(("torch.sym_int",), INT),
    **dict.fromkeys(("torch.sym_max", "torch.sym_min", "torch.sym_sum"), INT),
    "torch.sym_float": FLOAT,
    "torch.sym_not": BOOL,
}
"""Functions of torch outside the namespaces of operators, or that give the same whatever they get."""
DISTRIBUTION_METHODS = {
    **dict.fromkeys(("sample", "rsample", "sample_n", "icdf", "enumerate_support", "mean", "mode"), None),
    **dict.fromkeys(("log_prob", "entropy", "cdf", "perplexity", "variance", "stddev"), "float"),
}
TENSOR_ATTRIBUTES: Mapping[str, Kind] = {
    **dict.fromkeys(("ndim", "nbytes", "itemsize", "output_nr", "_version"), INT),
    **dict.fromkeys(("requires_grad", "is_leaf", "retains_grad"), BOOL),
    **dict.fromkeys(("dtype", "grad_dtype"), Python("dtype")),
    "device": Python("device"),
    "layout": OBJECT,
    "name": join(STR, NONE),
    "names": Sequence("tuple", join(STR, NONE)),
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


def result(callee: str, receiver: Kind | None, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """The kind of the value of calling a resolved dotted name; Unknown where that is not known.

    `receiver` is what a method is called on, and is then not among `args`. An operator is a function of the
    `operator` module: `operator.add`, `operator.getitem`, `operator.invert`.
    """
    name = canonical(callee)
    root = name.partition(".")[0]
    if root == "torch":
        return _of_torch(name, receiver, tuple(args), keywords)
    if root == "numpy":
        if name.startswith(("numpy.ndarray.", "numpy.random.Generator.", "numpy.random.RandomState.")):
            return _of_array(name, receiver, args, keywords)
        return arrays.array_function(name.removeprefix("numpy."), args, keywords)
    if is_logger_getter(name):
        return External("logging.Logger")
    if receiver is not None and root == "builtins" and name.count(".") == 2:
        return stdlib.value_method(receiver, name.rpartition(".")[2], args)
    known = stdlib.library_function(name, args, keywords)
    if known != UNKNOWN:
        return known
    if is_module_class(name):
        return External(name)
    return UNKNOWN


def _of_array(name: str, receiver: Kind | None, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    owner, method = split_name(name)
    if owner == "numpy.ndarray":
        if receiver is None and args:
            receiver, args = args[0], args[1:]
        return arrays.array_method(receiver, method, args, keywords)
    return arrays.array_function(f"random.{method}", args, keywords)


def _of_torch(name: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]) -> Kind:
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    owner, last = split_name(name)
    if owner == "torch.Tensor":
        return operator_result(owner, _method_call(last, receiver, args, keywords))
    if owner in NAMESPACES and not last[:1].isupper():
        found = operator_result(owner, Call(last, args, keywords))
        if found != UNKNOWN:
            return found
    if name in TENSOR_TYPES:
        return Tensor(TENSOR_TYPES[name])
    if name in ("torch.nn.Parameter", "torch.nn.Buffer"):
        given = tensor_part(args[0]) if args else None
        return Tensor(given.dtype if given else None, given.ndim if given else None, parameter=True)
    if name in ("torch.nn.UninitializedParameter", "torch.nn.UninitializedBuffer"):
        return Tensor(parameter=True)
    if name in TRANSFORMS:
        return Partial(args[0]) if args else UNKNOWN
    if is_module_class(name):
        return modules.construct(name, args, keywords)
    if is_module_class(owner):
        return _of_module(owner, last, receiver, args, keywords)
    if owner.startswith("torch.distributions.") and last in DISTRIBUTION_METHODS:
        return Tensor("float" if DISTRIBUTION_METHODS[last] else None)
    if last[:1].isupper() or name in table().aliases.values():
        return External(name) if last[:1].isupper() or last in CONTEXTS else UNKNOWN
    return External(name) if last in CONTEXTS else UNKNOWN


CONTEXTS = frozenset(
    {"no_grad", "enable_grad", "inference_mode", "autocast", "finfo", "iinfo", "set_grad_enabled", "profile"}
)


def _method_call(
    name: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]
) -> Call:
    """A method on the same terms as a function: what it is called on comes first."""
    if receiver is None:
        return Call(name, args, keywords)
    tensor = tensor_part(receiver)
    return Call(
        name, (receiver, *args), keywords, tensor.confidence if tensor is not None else Confidence.LOW
    )


def _of_module(
    cls: str, method: str, receiver: Kind | None, args: tuple[Kind, ...], keywords: Mapping[str, Kind]
) -> Kind:
    if method in ("forward", "__call__"):
        return modules.forward(receiver, cls, args, keywords)
    if isinstance(receiver, External):
        found = modules.container_method(receiver, method)
        if found is not None and (cls in modules.CONTAINERS or cls.startswith("torch.nn.Parameter")):
            return found
    return modules.module_method(receiver, method)


def attribute(kind: Kind, name: str) -> Kind | None:
    """An attribute of a value; a method is a `Method`; None where it is not known."""
    match kind:
        case Tensor():
            return _tensor_attribute(kind, name)
        case Array():
            return arrays.array_attribute(kind, name) or Method(kind, name)
        case External(cls=cls):
            return _external_attribute(kind, cls, name)
        case Reference(name=module):
            return CONSTANTS.get(f"{module}.{name}")
        case Python(type="dtype"):
            return _DTYPE_ATTRIBUTES.get(name)
        case Python(type="device"):
            return {"type": STR, "index": join(INT, NONE)}.get(name)
        case Sequence(type="tuple", items=tuple(items)) if name in FIELDS.get(len(items), ()):
            return items[FIELDS[len(items)].index(name) % len(items)]
        case Sequence() | Dictionary():
            return Method(kind, name)
        case Const(value=str()) | Python(type="str"):
            return Method(kind, name)
        case Scalar() | Const() | Python(type="int" | "float" | "bool"):
            return {"real": kind, "imag": kind}.get(name) or (
                Method(kind, name) if name in _NUMBER_METHODS else None
            )
        case Instance(module=True):
            return BOOL if name == "training" else None
        case _:
            return None


CONSTANTS: Mapping[str, Kind] = {
    **{
        f"{module}.{name}": FLOAT
        for module in ("math", "torch", "numpy")
        for name in ("pi", "e", "inf", "nan")
    },
    "math.tau": FLOAT,
    "sys.maxsize": INT,
    "torch.__version__": STR,
    "numpy.__version__": STR,
    "numpy.newaxis": NONE,
    "typing.TYPE_CHECKING": BOOL,
}
_DTYPE_ATTRIBUTES: Mapping[str, Kind] = {
    "is_floating_point": BOOL,
    "is_complex": BOOL,
    "is_signed": BOOL,
    "itemsize": INT,
}
_NUMBER_METHODS = frozenset({"is_integer", "bit_length", "as_integer_ratio", "hex", "conjugate"})
FIELDS: Mapping[int, tuple[str, ...]] = {
    2: (
        *("values", "indices", "eigenvalues", "eigenvectors", "Q", "R", "sign", "logabsdet"),
        *("mantissa", "exponent", "min", "max", "LU", "pivots"),
    ),
    3: ("U", "S", "V", "P", "L", "U", "U", "S", "Vh"),
}
"""Fields of torch.return_types, in pairs and triples; each takes its turn in the tuple."""


def _tensor_attribute(tensor: Tensor, name: str) -> Kind | None:
    if name in TENSOR_ATTRIBUTES:
        return TENSOR_ATTRIBUTES[name]
    if name == "shape":
        return dimensions(tensor)
    if name in SAME_ATTRIBUTES:
        return Tensor(tensor.dtype, tensor.ndim, tensor.confidence, name == "data" and tensor.parameter)
    if name in ("real", "imag"):
        return Tensor("float" if tensor.dtype == "complex" else tensor.dtype, tensor.ndim, tensor.confidence)
    if name == "grad":
        return join(Tensor(tensor.dtype, tensor.ndim, tensor.confidence), NONE)
    if is_tensor_method(name):
        return Method(tensor, name)
    return BOOL if name.startswith("is_") else None


def _external_attribute(kind: External, cls: str, name: str) -> Kind | None:
    if cls in ("torch.finfo", "numpy.finfo"):
        return FLOAT if name in ("max", "min", "eps", "tiny", "resolution", "smallest_normal") else INT
    if cls in ("torch.iinfo", "numpy.iinfo"):
        return INT
    if cls.startswith("torch.distributions.") and name in ("mean", "mode", "variance", "stddev"):
        return Tensor("float")
    if is_module_class(cls):
        found = modules.module_attribute(cls, name)
        return found if found is not None else Method(kind, name) if name in MODULE_METHODS else None
    return Method(kind, name)


MODULE_METHODS = modules.ITSELF | words("""
    forward parameters buffers named_parameters named_buffers modules children named_modules
    named_children get_parameter get_buffer get_submodule state_dict load_state_dict zero_grad
    register_buffer register_parameter register_module add_module register_forward_hook
    register_forward_pre_hook register_full_backward_hook extra_repr append extend insert keys values
    items pop update clear compile flatten_parameters reset_parameters
""")


def is_tensor_method(name: str) -> bool:
    """Whether tensors have a method of this name."""
    return name in table().returns["torch.Tensor"] or name in _MORE_TENSOR_METHODS


_MORE_TENSOR_METHODS = words("""
    to item tolist numpy size stride backward register_hook split unique unique_consecutive norm type
    max min sort topk std var nonzero where apply_ map_ storage untyped_storage
""")


def is_distinctive_tensor_method(name: str) -> bool:
    """Whether hardly anything but a tensor has a method of this name."""
    return name in DISTINCTIVE


def class_name(kind: Kind) -> str | None:
    """The dotted name of the class of a value: `torch.Tensor`, `numpy.ndarray`, `builtins.str` …"""
    match kind:
        case Tensor():
            return "torch.Tensor"
        case Array():
            return "numpy.ndarray"
        case External(cls=cls):
            return cls
        case Const() | Python():
            return f"builtins.{type_name(kind)}"
        case Scalar(type=type_):
            return f"builtins.{type_}"
        case Sequence(type=type_):
            return f"builtins.{type_}"
        case Dictionary():
            return "builtins.dict"
        case _ if tensor_part(kind) is not None:
            return "torch.Tensor"
        case _:
            return None
