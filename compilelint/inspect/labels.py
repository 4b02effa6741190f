"""The words by which rule pages name kinds."""

from __future__ import annotations

import functools
from collections.abc import Set

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Kind

VOCABULARY: dict[str, str] = {
    "tensor": "a torch.Tensor",
    "bool-tensor": "a tensor of dtype bool, a mask",
    "int-tensor": "a tensor of an integer dtype",
    "float-tensor": "a tensor of a floating-point dtype",
    "0d-tensor": "a tensor with no dimensions",
    "0d-mask": "the same, of dtype bool and of computed data: as an index it is read back, and selects no elements",
    "input-tensor": "a tensor that exists before the region starts: an argument, parameter or buffer",
    "input-sparse-tensor": "the same, of a sparse layout: `x.to_sparse()`",
    "computed-tensor": "a tensor that the region itself has computed",
    "computed-data": "the same, but no number that is known while tracing: `torch.tensor(3)`",
    "scalar": "a Python number that was read out of a tensor",
    "listed-scalar": "a whole number that `.tolist()` read out of a tensor",
    "drawn-number": "a number that `random.uniform`, `randint` or `randrange` gave",
    "ndarray": "a numpy.ndarray",
    "computed-ndarray": "the same, but no number of numpy that exists before the region starts: `self.n = np.prod(…)`",
    "array-number": "a number of numpy's own types that the region computes: `n / np.prod(rates)`",
    "kept-array-number": "one that was there before: `self.hop`, after `self.hop = np.prod(rates)`",
    "bool-ndarray": "a numpy.ndarray of dtype bool, a mask",
    "module": "an nn.Module",
    "recurrent-layer": "an nn.LSTM, nn.GRU or nn.RNN",
    "function": "a function, method or lambda",
    "class": "a class",
    "object": "an instance of any other class",
    "list": "a list",
    "tuple": "a tuple",
    "set": "a set or frozenset",
    "iterator": "an iterator or generator",
    "dict": "a dict",
    "int": "a Python int that was not read from a tensor: a shape, an option, a constant",
    "float": "a Python float that was not read from a tensor",
    "bool": "a Python bool that was not read from a tensor",
    "numpy-number": "a Python number that a function of numpy gave for Python numbers: `np.ceil(x.shape[0] / 2)`",
    "numpy-int": "a whole number that a function of numpy gave: `np.minimum(n, 3)`",
    "str": "a str",
    "none": "None",
    "python": "any Python value that no tensor's data went into",
    "constant": "a Python value that is written in the source",
    "true": "the constant True",
    "false": "the constant False",
    "unknown": "source does not tell",
}


NOT_GUESSED = frozenset(
    {
        *("drawn-number", "computed-ndarray", "array-number", "kept-array-number", "recurrent-layer"),
        *("0d-mask", "input-sparse-tensor"),
    }
)
"""Words for what is so rare that nobody wants to hear of it where source does not tell."""


def labels(kind: Kind) -> Set[str]:
    """All words of the vocabulary that hold for one kind (for a Union: for any of its options)."""
    if isinstance(kind, kinds.Union):
        return frozenset().union(*(_labels(option) for option in kind.options))
    return _labels(kind)


@functools.cache
def _labels_of_tensor(
    dtype: str | None, has_no_dimensions: bool, is_input: bool, is_foreseen: bool, is_sparse: bool
) -> frozenset[str]:
    words = {"tensor", "input-tensor" if is_input else "computed-tensor"}
    if not is_input and not is_foreseen:
        words.add("computed-data")
    if dtype is not None:
        words.add(f"{dtype}-tensor")
    if has_no_dimensions:
        # `torch.as_tensor(p > drawn)` may be an array's comparison as well, as deep as the array.
        words.update({"0d-tensor", "0d-mask"} if dtype == "bool" and "computed-data" in words else {"0d-tensor"})
    if is_input and is_sparse:
        words.add("input-sparse-tensor")
    return frozenset(words & VOCABULARY.keys())


_NONE = frozenset({"none", "python", "constant"})


@functools.cache
def _known_words(*words: str) -> frozenset[str]:
    return frozenset(words) & VOCABULARY.keys()


def _labels(kind: Kind) -> Set[str]:
    match kind:
        case kinds.Tensor():
            return _labels_of_tensor(kind.dtype, kind.ndim == 0, kind.parameter, kind.foreseen, kind.sparse)
        case kinds.Python(type="int", numpy=True):
            return {"int", "python", "numpy-number", "numpy-int"}
        case kinds.Python(type=type_, numpy=numpy):
            return _known_words(type_, "python", "numpy-number") if numpy else _known_words(type_, "python")
        case kinds.Const(value=None):
            return _NONE
        case kinds.Const(value=bool(value)):
            return {"bool", "python", "constant", str(value).lower()}
        case kinds.Const(value=value):
            return _known_words(type(value).__name__, "python", "constant")
        case kinds.Scalar(drawn=True):
            return {"drawn-number"}
        case kinds.Scalar(listed=listed):
            return {"scalar", "listed-scalar"} if listed else {"scalar"}
        case kinds.Array(kept=True):
            return {"ndarray", "kept-array-number"}
        case kinds.Array(number=True):
            return {"ndarray", "computed-ndarray", "array-number"}
        case kinds.Array(dtype=dtype):
            return (
                {"ndarray", "computed-ndarray", "bool-ndarray"} if dtype == "bool" else {"ndarray", "computed-ndarray"}
            )
        case kinds.Sequence(type=kinds.KEYS):
            return {"iterator"}
        case kinds.Sequence(type=kinds.ITERABLE):
            return {"list"}
        case kinds.Sequence(type=type_):
            return _known_words(type_)
        case kinds.Dictionary(type="dict"):
            return {"dict"}
        case kinds.Instance(module=True):
            return {"module"}
        case kinds.External(cls="torch.nn.LSTM" | "torch.nn.GRU" | "torch.nn.RNN"):
            return {"module", "recurrent-layer"}
        case kinds.External(cls=cls) if cls.startswith("torch.nn."):
            return {"module"}
        case kinds.Instance() | kinds.External():
            return {"object"}
        case kinds.Function() | kinds.Method() | kinds.Partial():
            return {"function"}
        case kinds.ProjectClass():
            return {"class"}
        case kinds.Reference() | kinds.ProjectModule():
            return {"python"}
        case _:
            return {"unknown"}
