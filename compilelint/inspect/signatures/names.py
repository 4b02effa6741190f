"""Facts about names alone: what else something is called, and what it is."""

from __future__ import annotations

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    UNKNOWN,
    Array,
    Dictionary,
    Kind,
    Python,
    Sequence,
    Tensor,
    join,
)
from compilelint.inspect.signatures.conversions import TENSOR_TYPES
from compilelint.inspect.signatures.table import table

RENAMED = {
    "torch._dynamo.disable": "torch.compiler.disable",
    "torch._dynamo.allow_in_graph": "torch.compiler.allow_in_graph",
    "torch._dynamo.reset": "torch.compiler.reset",
    "torch._dynamo.is_compiling": "torch.compiler.is_compiling",
    "torch._dynamo.external_utils.is_compiling": "torch.compiler.is_compiling",
    "torch._dynamo.graph_break": "torch._dynamo.graph_break",
    "torch._tensor.Tensor": "torch.Tensor",
    "torch._C.TensorBase": "torch.Tensor",
    "torch._C._TensorBase": "torch.Tensor",
    "torch.autograd.Variable": "torch.Tensor",
    "torch.func.vmap": "torch.vmap",
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.parameter.Buffer": "torch.nn.Buffer",
    "functorch.vmap": "torch.vmap",
    "functorch.grad": "torch.func.grad",
    "functorch.vjp": "torch.func.vjp",
    "functorch.jvp": "torch.func.jvp",
    "functorch.jacrev": "torch.func.jacrev",
    "functorch.jacfwd": "torch.func.jacfwd",
    "lightning.LightningModule": "pytorch_lightning.LightningModule",
    "lightning.pytorch.LightningModule": "pytorch_lightning.LightningModule",
    "lightning.pytorch.core.LightningModule": "pytorch_lightning.LightningModule",
    "transformers.modeling_utils.PreTrainedModel": "transformers.PreTrainedModel",
    "transformers.utils.import_utils.is_torchdynamo_compiling": "transformers.utils.is_torchdynamo_compiling",
}


def canonical(dotted: str) -> str:
    """The name that something of torch is best known by; the name itself where there is no other.

    Methods follow their class: `torch.nn.modules.rnn.LSTM.forward` → `torch.nn.LSTM.forward`.
    """
    renamed = RENAMED.get(dotted) or table().aliases.get(dotted)
    if renamed is not None:
        return renamed
    owner, _, attribute = dotted.rpartition(".")
    if owner.startswith("torch.") and (home := RENAMED.get(owner) or table().aliases.get(owner)):
        return f"{home}.{attribute}"
    return dotted


# Modules

MODULE_BASES = frozenset(
    {
        "transformers.PreTrainedModel",
        "diffusers.ModelMixin",
        "diffusers.models.ModelMixin",
        "diffusers.models.modeling_utils.ModelMixin",
        "pytorch_lightning.LightningModule",
        "pytorch_lightning.core.LightningModule",
        "lightning.fabric.wrappers._FabricModule",
        "torch_geometric.nn.MessagePassing",
        "torch_geometric.nn.conv.MessagePassing",
        "torch_geometric.nn.conv.message_passing.MessagePassing",
        "sentence_transformers.SentenceTransformer",
        "peft.PeftModel",
        "torchvision.models.ResNet",
    }
)


def is_module_class(dotted: str) -> bool:
    """Whether a class from outside the project is an nn.Module."""
    name = canonical(dotted)
    return name in table().modules or name in MODULE_BASES


# Loggers

LOGGER_GETTERS = frozenset(
    {
        "logging.getLogger",
        "logging.Logger",
        "transformers.utils.logging.get_logger",
        "transformers.logging.get_logger",
        "diffusers.utils.logging.get_logger",
        "diffusers.logging.get_logger",
        "datasets.logging.get_logger",
        "huggingface_hub.logging.get_logger",
        "accelerate.logging.get_logger",
        "torch._logging.getArtifactLogger",
        "structlog.get_logger",
        "absl.logging.get_absl_logger",
    }
)
LOGGERS = {"loguru.logger": "loguru.Logger"}


def is_logger_getter(dotted: str) -> bool:
    """Whether calling it gives a `logging.Logger`, or something that works like one."""
    return dotted in LOGGER_GETTERS


# The state of the compiler

COMPILE_STATES = {
    **dict.fromkeys(
        (
            "torch.compiler.is_compiling",
            "torch.compiler.is_dynamo_compiling",
            "transformers.utils.is_torchdynamo_compiling",
        ),
        True,
    ),
    **dict.fromkeys(
        (
            "torch.jit.is_scripting",
            "torch.jit.is_tracing",
            "torch.onnx.is_in_onnx_export",
            "torch.compiler.is_exporting",
            "torch.overrides.has_torch_function",
            "torch.overrides.has_torch_function_unary",
            "torch.overrides.has_torch_function_variadic",
            "typing.TYPE_CHECKING",
        ),
        False,
    ),
}


def compile_state(callee: str) -> bool | None:
    """What the predicate (or constant) says while Dynamo traces; None where it is no such predicate."""
    return COMPILE_STATES.get(canonical(callee))


# Annotations

JAXTYPING = {
    **dict.fromkeys(("Float", "Float16", "Float32", "Float64", "BFloat16"), Tensor("float")),
    **dict.fromkeys(("Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "Integer"), Tensor("int")),
    "Bool": Tensor("bool"),
    "Complex": Tensor("complex"),
    **dict.fromkeys(("Shaped", "Num", "Inexact"), Tensor()),
}
ANNOTATIONS: dict[str, Kind] = {
    **{name: Tensor(dtype) for name, dtype in TENSOR_TYPES.items()},
    "torch.nn.Parameter": Tensor(parameter=True),
    "torch.Size": Sequence("tuple", INT),
    "torch.dtype": Python("dtype"),
    "torch.device": Python("device"),
    "torch.types.Number": join(INT, FLOAT),
    "torch.types.Device": Python("device"),
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.bool": BOOL,
    "builtins.str": STR,
    "builtins.bytes": Python("bytes"),
    "builtins.None": NONE,
    "builtins.object": UNKNOWN,
    "builtins.complex": Python("complex"),
    "builtins.slice": Python("slice"),
    **{f"builtins.{name}": Sequence(name, UNKNOWN) for name in ("list", "tuple", "set", "frozenset")},
    **{f"typing.{name}": Sequence(name.lower(), UNKNOWN) for name in ("List", "Tuple", "Set", "FrozenSet")},
    **{
        f"{module}.{name}": Dictionary(UNKNOWN)
        for module, names in {
            "builtins": ("dict",),
            "typing": ("Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict"),
            "collections": ("OrderedDict", "defaultdict"),
            "collections.abc": ("Mapping", "MutableMapping"),
        }.items()
        for name in names
    },
    "collections.deque": Sequence("deque", UNKNOWN),
    "numpy.ndarray": Array(),
    "numpy.typing.NDArray": Array(),
    "torch_geometric.typing.Tensor": Tensor(),
    "torch_geometric.typing.Adj": Tensor(),
    "torch_geometric.typing.OptTensor": join(Tensor(), NONE),
    "torch_geometric.typing.PairTensor": Sequence("tuple", Tensor()),
    "torch_geometric.typing.OptPairTensor": Sequence("tuple", join(Tensor(), NONE)),
    "torch_geometric.typing.Size": join(Sequence("tuple", INT), NONE),
    "logging.Logger": OBJECT,
}
"""Of a Union with classes of which nothing is known (`Adj`), only the tensor is kept."""


def annotation_kind(dotted: str) -> Kind | None:
    """The kind of a value annotated with this name; None where the name says nothing."""
    package, _, name = dotted.rpartition(".")
    if package == "jaxtyping":
        return JAXTYPING.get(name)
    return ANNOTATIONS.get(dotted) or ANNOTATIONS.get(canonical(dotted))
