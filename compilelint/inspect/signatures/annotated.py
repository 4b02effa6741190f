"""What annotations say, as far as one name says it."""

from __future__ import annotations

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Dictionary,
    External,
    Kind,
    Python,
    Sequence,
    Tensor,
    join,
)
from compilelint.inspect.signatures.conversions import TENSOR_TYPES
from compilelint.inspect.signatures.names import canonical

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
    "torch.autograd.Variable": Tensor(),
    "torchtyping.TensorType": Tensor(),
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
    "logging.Logger": External("logging.Logger"),
}
"""Of a Union with classes of which nothing is known (`Adj`), only the tensor is kept."""


def annotation_kind(dotted: str) -> Kind | None:
    """The kind of a value annotated with this name; None where the name says nothing."""
    package, _, name = dotted.rpartition(".")
    if package == "jaxtyping":
        return JAXTYPING.get(name)
    return ANNOTATIONS.get(dotted) or ANNOTATIONS.get(canonical(dotted))
