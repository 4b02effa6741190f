"""A call in the terms that the table's rules are written in, and how they read its arguments."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from compilelint.inspect.kinds import (
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    DType,
    External,
    Kind,
    Python,
    Reference,
    Scalar,
    Sequence,
    Tensor,
    element,
    join,
    options,
    tensor_part,
    type_name,
)
from compilelint.report.confidence import Confidence

DTYPES: dict[str, DType] = {
    **dict.fromkeys(("bool",), "bool"),
    **dict.fromkeys(
        ("int", "long", "short", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
        "int",
    ),
    **dict.fromkeys(
        (
            "float",
            "double",
            "half",
            "bfloat16",
            "float16",
            "float32",
            "float64",
            "float8_e4m3fn",
            "float8_e5m2",
        ),
        "float",
    ),
    **dict.fromkeys(("complex", "cfloat", "cdouble", "chalf", "complex32", "complex64", "complex128"), "complex"),
}
"""Name of a dtype in torch, numpy or builtins → its class."""
RANKS: tuple[DType, ...] = ("bool", "int", "float", "complex")


class Call(Struct, frozen=True):
    """A call of an operator; what a method is called on is the first argument."""

    name: str
    """`sum`: the same for `torch.sum` and `torch.Tensor.sum`."""
    args: tuple[Kind, ...]
    keywords: Mapping[str, Kind] = field(default_factory=dict)
    confidence: Confidence = Confidence.HIGH

    def get(self, position: int, *names: str) -> Kind | None:
        """The argument at this position or under one of these names; None where it is not given."""
        if position < len(self.args):
            return self.args[position]
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    def tensor(self, position: int = 0, *names: str) -> Tensor:
        """The argument as a tensor; one of which nothing is known where it is not known to be one."""
        kind = self.get(position, *(names or ("input", "self")))
        return (tensor_part(kind) if kind is not None else None) or Tensor()

    def give(self, dtype: DType | None = None, ndim: int | None = None) -> Tensor:
        """The tensor that the call gives."""
        return Tensor(dtype, ndim, self.confidence)


def dtype_named(kind: Kind | None) -> DType | None:
    """The class of dtype that an argument such as `torch.bool`, `float` or `"int64"` stands for."""
    match kind:
        case Reference(name=name):
            return DTYPES.get(name.rpartition(".")[2])
        case Const(value=str(name)):
            return DTYPES.get(name.removeprefix("torch."))
        case _:
            return None


def dtype_asked(call: Call, otherwise: DType | None) -> DType | None:
    """What `dtype=` says, where it is given, else `otherwise`."""
    kind = call.keywords.get("dtype", NONE)
    return otherwise if kind == NONE else dtype_named(kind)


def dtype_of(kind: Kind) -> DType | None:
    """The class of dtype that a value has, or would have as a tensor."""
    match kind:
        case Tensor(dtype=dtype) | Array(dtype=dtype):
            return dtype
        case Scalar(type=name):
            return DTYPES.get(name)
        case Const() | Python():
            return DTYPES.get(type_name(kind))
        case Sequence():
            return dtype_of(element(kind))
        case _:
            tensor = tensor_part(kind)
            return tensor.dtype if tensor is not None else None


def promoted(*dtypes: DType | None) -> DType | None:
    """What the dtypes give together; None as soon as one is not known that could decide it."""
    known = [dtype for dtype in dtypes if dtype is not None]
    if "complex" in known:
        return "complex"
    return max(known, key=RANKS.index) if known and len(known) == len(dtypes) else None


def is_int(kind: Kind | None) -> bool:
    """Whether it can only be one integer, so that it counts as one size or one dimension."""
    match kind:
        case Const(value=bool()):
            return False
        case Const(value=int()) | Python(type="int") | Scalar(type="int"):
            return True
        case _:
            return False


def is_given(kind: Kind | None) -> bool:
    """Whether an optional argument is there and is not None."""
    return kind is not None and kind != NONE


def flag(kind: Kind | None, default: bool = False) -> bool | None:
    """The value of a boolean option; None where source does not tell."""
    if kind is None:
        return default
    return kind.value if isinstance(kind, Const) and isinstance(kind.value, bool) else None


def length(kind: Kind) -> int | None:
    """How many elements a sequence has, where that is known."""
    return len(kind.items) if isinstance(kind, Sequence) and kind.items is not None else None


def count_sizes(sizes: tuple[Kind, ...]) -> int | None:
    """How many dimensions `f(2, 3)` or `f((2, 3))` name."""
    if len(sizes) == 1 and not is_int(sizes[0]):
        return length(sizes[0])
    return len(sizes) if all(is_int(size) for size in sizes) else None


def iterated(kind: Kind) -> Kind:
    """What a `for` over the value gives; Unknown where that is not known."""
    match kind:
        case Sequence():
            return element(kind)
        case Tensor(dtype, ndim, confidence):
            return Tensor(dtype, ndim - 1 if ndim else None, confidence)
        case Array(dtype=dtype, row=row):
            return Array(dtype, number=True) if row else kind
        case Dictionary(entries=entries) if entries:
            return join(*(Const(key) for key, _ in entries))
        case Const(value=str()) | Python(type="str"):
            return STR
        case Python(type="range"):
            return INT
        case External(cls="torch.nn.ModuleList" | "torch.nn.Sequential", args=layers) if layers:
            return join(*layers)
        case External(cls="itertools.count"):
            return INT
        case External(cls="torch.nn.ParameterList"):
            return Tensor(parameter=True)
        case _ if len(options(kind)) > 1:
            return join(*(iterated(option) for option in options(kind) if option != NONE))
        case _:
            return UNKNOWN
