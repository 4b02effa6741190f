"""numpy: nearly everything gives an array; this says what does not.

Dynamo traces numpy as operators on tensors, so what numpy compares (`np.allclose`) is a number read out of a tensor,
and so is one that it makes of constants (`np.prod(x.shape)`).
"""

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
    DType,
    External,
    Kind,
    Python,
    Scalar,
    Sequence,
    Tensor,
    element,
    options,
)
from compilelint.inspect.signatures.calls import DTYPES, dtype_named, is_given
from compilelint.inspect.signatures.rules import words

PYTHON: Mapping[str, Kind] = {
    **dict.fromkeys(("isscalar", "iterable", "issubdtype", "issctype", "can_cast"), BOOL),
    **dict.fromkeys(("array_equal", "allclose", "array_equiv"), Scalar("bool")),
    **dict.fromkeys(("shares_memory", "may_share_memory", "isfortran", "iscomplexobj", "isrealobj"), BOOL),
    **dict.fromkeys(("ndim", "size"), INT),
    "shape": Sequence("tuple", INT),
    "broadcast_shapes": Sequence("tuple", INT),
    **dict.fromkeys(("dtype", "result_type", "promote_types", "min_scalar_type", "common_type"), Python("dtype")),
    "finfo": External("numpy.finfo"),
    "iinfo": External("numpy.iinfo"),
    **dict.fromkeys(("array2string", "array_repr", "array_str", "base_repr", "binary_repr", "typename"), STR),
    **dict.fromkeys(
        ("save", "savez", "savez_compressed", "savetxt", "set_printoptions", "copyto", "put", "place"), NONE
    ),
    **dict.fromkeys(
        ("errstate", "printoptions", "ndenumerate", "ndindex", "nditer", "vectorize", "get_printoptions"),
        OBJECT,
    ),
    **dict.fromkeys(("load", "lookfor", "info", "apply_along_axis", "fromfunction", "frompyfunc"), UNKNOWN),
}
TUPLES = words("""
    nonzero where split array_split hsplit vsplit dsplit meshgrid unravel_index ix_ divmod modf frexp
""")
BOOL_ARRAYS = words("""
    equal not_equal less less_equal greater greater_equal isnan isinf isfinite isin isclose
    logical_and logical_or logical_not logical_xor any all signbit iscomplex isreal
""")
INT_ARRAYS = words("""
    argmax argmin argsort searchsorted digitize bincount count_nonzero argwhere flatnonzero
""")
REDUCTIONS = words("""
    prod sum max min amax amin mean median std var nanmax nanmin nansum nanmean average ptp count_nonzero argmax argmin
""")
ROWS = words("arange linspace logspace geomspace")
"""Of anything but arrays these give an array of one dimension."""
METHODS: Mapping[str, Kind] = {
    "item": Scalar(),
    "tolist": Sequence("list", Scalar()),
    "tobytes": Python("bytes"),
    "__len__": INT,
    "__bool__": Scalar("bool"),
    "__int__": Scalar("int"),
    "__index__": Scalar("int"),
    "__float__": Scalar("float"),
    "dump": NONE,
    "tofile": NONE,
    "fill": NONE,
    "sort": NONE,
    "setflags": NONE,
    "nonzero": Sequence("tuple", Array("int")),
}
ARRAY_METHODS = words("""
    all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot dump dumps fill flatten getfield item itemset max mean min newbyteorder nonzero partition prod ptp put
    ravel repeat reshape resize round searchsorted setfield setflags sort squeeze std sum swapaxes take tobytes tofile
    tolist tostring to_device trace transpose var view
""")
"""Of numpy 1 and 2 (`dir(numpy.ndarray)`)."""
ATTRIBUTES: Mapping[str, Kind] = {
    "shape": Sequence("tuple", INT),
    "strides": Sequence("tuple", INT),
    "ndim": INT,
    "size": INT,
    "itemsize": INT,
    "nbytes": INT,
    "dtype": Python("dtype"),
}
ARRAY_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat"})
NUMBER_FUNCTIONS = words("""
    abs absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh around cbrt ceil clip copysign cos cosh deg2rad
    degrees exp exp2 expm1 fabs fix float_power floor floor_divide fmax fmin fmod hypot ldexp log log10 log1p log2
    maximum minimum mod multiply negative positive power rad2deg radians reciprocal remainder rint round sign sin sinc
    sinh sqrt square subtract add tan tanh true_divide divide trunc
""")
"""Of Python numbers these give a number, which Dynamo folds into a constant (2.13: rules/CL131, "When it is
fine"); it breaks only where the number itself is branched on, `if np.sqrt(n) > 2`."""
WHOLE_OF_WHOLE = words("""
    abs absolute add around ceil clip fix floor floor_divide fmax fmin fmod maximum minimum mod multiply negative
    positive power remainder rint round sign square subtract
""")
"""Of whole numbers these give one, which is read back where Python wants an int (`int(…)`, `range`, a slice); a float
that numpy computed is a constant there (2.13)."""
NO_SIZE = words("""
    rand random random_sample uniform normal standard_normal randint integers beta gamma poisson
""")


def array_function(name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What `numpy.<name>(...)` gives; `name` may be nested, as in `random.rand`."""
    group, _, last = name.rpartition(".")
    if group == "random":
        return _random(last, args, keywords)
    if group in ("testing", "polynomial", "ctypeslib", "lib"):
        return UNKNOWN
    if not group and last in PYTHON:
        return PYTHON[last]
    if last == "where" and len(args) > 1:
        return Array()
    if last in TUPLES:
        return Sequence("tuple", Array("int") if last in ("nonzero", "where", "unravel_index") else Array())
    if group == "linalg" and last in ("svd", "eig", "eigh", "qr", "slogdet", "lstsq"):
        return Sequence("tuple", Array())
    if args and all(_is_number(arg) for arg in args):
        if last in NUMBER_FUNCTIONS:
            is_whole = last in WHOLE_OF_WHOLE and all(_is_whole(arg) for arg in args)
            return Python("int" if is_whole else "float", numpy=True)
        if last.rstrip("_") in DTYPES:
            return Python(DTYPES[last.rstrip("_")], numpy=True)
    makes_numbers = last in NUMBER_FUNCTIONS or last.rstrip("_") in DTYPES
    if makes_numbers and args and all(arg == UNKNOWN or _is_number(arg) for arg in args):
        return UNKNOWN
    if last.rstrip("_") in DTYPES:
        return Array(DTYPES[last.rstrip("_")])
    if last[:1].isupper() or last.startswith("_"):
        return UNKNOWN
    if last in ROWS and not any(isinstance(arg, Array | Sequence | Tensor) for arg in args):
        return Array(_dtype(last, keywords), row=True)
    if last in ("array", "asarray") and args and _holds_numbers(args[0]):
        return Array(_dtype(last, keywords), row=True)
    return Array(_dtype(last, keywords), number=last in REDUCTIONS and len(args) == 1 and not keywords)


def _is_number(kind: Kind) -> bool:
    match kind:
        case Const(value=value):
            return isinstance(value, int | float)
        case Python(type=type_):
            return type_ in ("bool", "int", "float")
        case _:
            return False


def _holds_numbers(kind: Kind) -> bool:
    """Whether it is a list of nothing but numbers: an array of it has one dimension."""
    if not isinstance(kind, Sequence) or kind.type not in ("list", "tuple"):
        return False
    items = (element(kind),) if kind.items is None else kind.items
    return bool(items) and all(_is_number(option) for item in items for option in options(item))


def _is_whole(kind: Kind) -> bool:
    return isinstance(kind, Const | Python) and kind.type in ("int", "bool")


def _dtype(name: str, keywords: Mapping[str, Kind]) -> DType | None:
    if name in BOOL_ARRAYS:
        return "bool"
    if name in INT_ARRAYS:
        return "int"
    return dtype_named(keywords.get("dtype"))


def _random(name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    if name in ("seed", "shuffle", "set_state"):
        return NONE
    if name in ("default_rng", "Generator"):
        return External("numpy.random.Generator")
    if name == "RandomState":
        return External("numpy.random.RandomState")
    if name == "get_state":
        return UNKNOWN
    if name in NO_SIZE and not is_given(keywords.get("size")):
        needed = {"uniform": 2, "normal": 2, "randint": 2, "integers": 2, "beta": 2, "gamma": 2}.get(name, 0)
        if len(args) <= needed:
            # The call splits the graph (CL208): what comes after it is given a number of Python.
            return INT if name in ("randint", "integers", "poisson") else FLOAT
    if name == "choice" and len(args) == 1 and not is_given(keywords.get("size")):
        if _is_whole(args[0]):
            return INT
        if isinstance(args[0], Sequence):
            return element(args[0])
    return Array("int" if name in ("randint", "integers", "permutation") else None)


def array_method(receiver: Kind | None, name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What a method of an ndarray gives."""
    if name in METHODS:
        kind = METHODS[name]
        dtype = receiver.dtype if isinstance(receiver, Array) else None
        if dtype is not None and name == "item":
            return Scalar(dtype)
        return kind
    kept = receiver.dtype if isinstance(receiver, Array) else None
    row = isinstance(receiver, Array) and receiver.row
    number = name in REDUCTIONS and not args and not keywords
    match name:
        case "astype" | "view":
            return Array(dtype_named(args[0] if args else keywords.get("dtype")), row=row)
        case "copy":
            return Array(kept, row=row)
        case "flatten" | "ravel":
            return Array(kept, row=True)
        case "any" | "all":
            return Array("bool")
        case "argmax" | "argmin" | "argsort":
            return Array("int", number)
        case "reshape" | "transpose" | "squeeze" | "repeat" | "take" | "max" | "min":
            return Array(kept, number)
        case _ if name in ARRAY_METHODS or name.startswith("__"):
            return Array(number=number)
        case _:
            # Of what may be a tensor or an array, it is the tensor that has it.
            return UNKNOWN


def array_attribute(array: Array, name: str) -> Kind | None:
    """An attribute of an ndarray that is no method."""
    if name in ARRAY_ATTRIBUTES:
        return array
    return ATTRIBUTES.get(name)
