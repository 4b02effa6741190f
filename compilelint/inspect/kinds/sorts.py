"""The sorts of kinds: each is a frozen struct, so that it is made, compared and hashed in C."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from compilelint.report.confidence import Confidence

DType = Literal["bool", "int", "float", "complex"]
Constant: TypeAlias = bool | int | float | str | bytes | None
FunctionKey: TypeAlias = tuple[str, int, int]
"""Path of the file, line and column of the `def`, `lambda` or `class`."""


class Unknown(Struct, frozen=True):
    """Source does not tell."""


class Const(Struct, frozen=True):
    """A Python constant whose value is known."""

    value: Constant
    type: str = ""
    """The name of its type, which nobody need give: `True`, `1` and `1.0` are equal, and three constants."""

    def __post_init__(self) -> None:
        force_setattr(self, "type", type(self.value).__name__)


class Python(Struct, frozen=True):
    """A Python value of this type that no tensor's data went into: a shape, an option, a counter."""

    type: str = "object"
    numpy: bool = False
    """Whether a function of numpy gave it, for Python numbers: to old torch such a number is an array."""
    size: bool = False
    """Whether it is a number of an input's size, or computed of one, that may be another in the next call."""
    training: bool = False
    """Whether it is the mode of a module, `self.training`, handed on: each of its values is usual."""


class Scalar(Struct, frozen=True):
    """A Python number that was read out of a tensor (`.item()`, `int(t)`)."""

    type: str = "float"
    listed: bool = False
    """Whether `.tolist()` gave it, for whole numbers: some versions of torch trace that, and break where it is used."""
    drawn: bool = False
    """Whether Python's `random` gave it, which Dynamo traces as a tensor that it draws before the graph runs."""


class Tensor(Struct, frozen=True):
    """A torch.Tensor. `dtype` and `ndim` are None where unknown.

    `confidence` is HIGH where torch or an annotation says so, MEDIUM where it is an assumption
    about a parameter or one of several possibilities.
    """

    dtype: DType | None = None
    ndim: int | None = None
    confidence: Confidence = Confidence.HIGH
    parameter: bool = False
    """An input, parameter or buffer: it exists before the region starts."""
    foreseen: bool = False
    """Whether it holds one number that is known while tracing: `torch.tensor(3)`."""
    sparse: bool = False
    """Whether its layout is a sparse one for sure: `x.to_sparse()`."""
    undeclared: bool = False
    """Whether a call gives it for a number that is declared: who hands that on hands on the tensor."""


class Array(Struct, frozen=True):
    """A numpy.ndarray, or a number of numpy's own types, which Dynamo takes for an array of no dimensions."""

    dtype: DType | None = None
    number: bool = False
    """Whether it is such a number: `np.prod(sizes)`."""
    kept: bool = False
    """Whether it is one that was there before the region: as it is, that is a number of Python while tracing."""
    held: bool = False
    """Whether it is computed of a float that was there before: `self.gain * 2` of `self.gain = np.sqrt(2)`."""
    row: bool = False
    """Whether it surely has one dimension: `np.linspace(0, rate, depth)`, of which each item is such a number."""


class Text(Struct, frozen=True):
    """An f-string with a tensor in it: Dynamo leaves it to be made later, as long as nobody looks."""

    tensor: Tensor


UNION_TYPE, NONE_TYPE = "types.UnionType", "types.NoneType"
"""What `int | None` is, with its classes for arguments, and the class of None among them."""
MEMBER = "_name_"
"""The attribute that tells members of an Enum apart, which are instances of it."""
ITERABLE = "iterable"
"""The type of what is only declared to be an `Iterable`: mostly it is a list."""
KEYS = "keys"
"""The type of what `keys()` of a dict gives: since torch 2.7 Dynamo makes these anew where it finds them, and no other
view."""


class Sequence(Struct, frozen=True, cache_hash=True):
    """A list, tuple, set, iterator …, or an iterable, which may be any of them; `items` where each element is known,
    else `item` for all of them."""

    type: str
    item: Kind
    items: tuple[Kind, ...] | None = None
    record: bool = False
    """Whether it holds arguments by place, as `*args` does: of one item the others tell nothing."""
    given: bool = False
    """Whether it is an iterator that was made before the region, and is handed to it: `step(model.parameters())`."""
    default: bool = False
    """Whether it is what a parameter is by default, `seen=[]`: the same object in every call that gives no other."""


class Dictionary(Struct, frozen=True, cache_hash=True):
    """A dict-like; `entries` are the constant keys that are known."""

    value: Kind
    entries: tuple[tuple[Constant, Kind], ...] = ()
    type: str = "dict"
    """`dict`, or a class of `collections`: `OrderedDict`, `defaultdict`, `Counter`."""
    record: bool = False
    """Whether it holds arguments by name, as `**kwargs` does: of one value the others tell nothing."""
    by_slot: bool = False
    """Whether its keys are read as attributes by a method that dict itself has: `__getattr__ = dict.get`."""
    default: bool = False
    """Whether it is what a parameter is by default, `cache={}`: the same object in every call that gives no other."""
    closed: bool = False
    """Whether it has no other keys than its entries: the `**options` of a call that is seen, where nobody adds any."""


class Reference(Struct, frozen=True):
    """Something from outside the project, by its dotted name: `torch.nonzero`, `numpy`, `time.time`."""

    name: str


class External(Struct, frozen=True, cache_hash=True):
    """An instance of a class from outside the project: `torch.nn.LSTM`, `logging.Logger`."""

    cls: str
    args: tuple[Kind, ...] = ()
    """Constructor arguments that matter (the layers of a Sequential)."""
    keys: tuple[str, ...] = ()
    """The names of these layers in a ModuleDict or a ModuleList; empty where it is not known which is which."""


class ProjectClass(Struct, frozen=True, cache_hash=True):
    """A class of the project itself."""

    key: FunctionKey
    name: str


class Instance(Struct, frozen=True, cache_hash=True):
    """An instance of a class of the project."""

    cls: ProjectClass
    module: bool = False
    """Whether the class is an nn.Module."""
    fresh: bool = False
    """Whether the region itself has made it, so that what is written to it is gone with the call."""
    given: tuple[tuple[str, Kind], ...] = ()
    """What its `__init__` was given that tells what its attributes are, by parameter."""
    options: tuple[tuple[str, Const], ...] = ()
    """The numbers, texts and options that the user's program gives a class of a followed package, by parameter; of a
    class of its own those that it gives, or leaves as they are by default, where it compiles."""
    settled: tuple[tuple[str, Kind], ...] = ()
    """The attributes that such options come to, and the flags that the code which compiles it sets before."""
    of_program: bool = False
    """Whether it is made by code around what is compiled, or by the `__init__` of something that is."""


class Function(Struct, frozen=True, eq=False):
    """A function, method or lambda of the project; `receiver` is its bound `self`.

    It is the same function whatever its closure holds.
    """

    key: FunctionKey
    name: str
    receiver: Kind | None = None
    closure: Mapping[str, Kind] | None = None
    wrapper: Kind | None = None
    """What a decorator of the project made of it: called besides it, for what the wrapper itself does."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Function):
            return NotImplemented
        return (self.key, self.name, self.receiver) == (other.key, other.name, other.receiver)

    def __hash__(self) -> int:
        return hash((self.key, self.name, self.receiver))


class Method(Struct, frozen=True, cache_hash=True):
    """A bound method of something from outside the project: `x.sum`, `logger.info`."""

    receiver: Kind
    name: str


class Partial(Struct, frozen=True, cache_hash=True):
    """`functools.partial(function, *args, **keywords)`, and other wrappers that call `function` with more arguments."""

    function: Kind
    args: tuple[Kind, ...] = ()
    keywords: tuple[tuple[str, Kind], ...] = ()


class ProjectModule(Struct, frozen=True):
    """A module of the project, as `import pkg.mod` binds it."""

    name: str


class Union(Struct, frozen=True, cache_hash=True):
    """One of several kinds; never nested, never with Unknown, at most `MAX_OPTIONS`."""

    options: tuple[Kind, ...]


Kind: TypeAlias = (
    Unknown
    | Const
    | Python
    | Scalar
    | Tensor
    | Array
    | Text
    | Sequence
    | Dictionary
    | Reference
    | External
    | ProjectClass
    | Instance
    | Function
    | Method
    | Partial
    | ProjectModule
    | Union
)

UNKNOWN = Unknown()
NONE = Const(None)
INT = Python("int")
SIZE = Python("int", size=True)
FLOAT = Python("float")
NUMPY_FLOAT = Python("float", numpy=True)
BOOL = Python("bool")
TRAINING = Python("bool", training=True)
STR = Python("str")
OBJECT = Python("object")
TENSOR = Tensor()
MAX_OPTIONS = 6
MAX_DEPTH = 4
MAX_ITEMS = 24
