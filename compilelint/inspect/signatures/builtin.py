"""The builtin functions, as far as values flow through them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from functools import reduce
from typing import TypeAlias

from msgspec.structs import replace

from compilelint.inspect.kinds import (
    BOOL,
    INT,
    NONE,
    OBJECT,
    SIZE,
    STR,
    UNKNOWN,
    Array,
    Const,
    Dictionary,
    External,
    Kind,
    Python,
    Scalar,
    Sequence,
    Tensor,
    is_bool,
    join,
    sequence,
    shallow,
    tensor_part,
    type_name,
)
from compilelint.inspect.signatures.calls import Call, iterated, length
from compilelint.inspect.signatures.tensors import operator_result
from compilelint.inspect.signatures.values import carries_data, together

Keywords: TypeAlias = Mapping[str, Kind]
Handler: TypeAlias = Callable[[Many[Kind], Keywords], Kind]


def _number(type_: str) -> Handler:
    def convert(args: Many[Kind], keywords: Keywords) -> Kind:
        if any(carries_data(arg) for arg in args):
            return Scalar(type_)
        if type_ == "bool" and len(args) == 1 and isinstance(args[0], Const):
            return Const(bool(args[0].value))
        if type_ == "int" and len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, str):
            return _int_of(args[0].value)
        if type_ == "int" and args == (SIZE,):
            return SIZE
        return UNKNOWN if any(arg == UNKNOWN for arg in args) else Python(type_)

    return convert


def _int_of(text: str) -> Kind:
    """A number that is written out, as `int("2")` reads it."""
    try:
        return Const(int(text))
    except ValueError:
        return INT


def _fixed(kind: Kind) -> Handler:
    return lambda args, keywords: kind


def container(type_: str) -> Handler:
    """The constructor of a kind of sequence: `list`, `deque` …"""

    def build(args: Many[Kind], keywords: Keywords) -> Kind:
        if not args:
            return Sequence(type_, UNKNOWN, ())
        given = args[0]
        if isinstance(given, Sequence) and given.items is not None and type_ in ("list", "tuple"):
            return replace(sequence(type_, given.items), record=given.record)
        return Sequence(type_, shallow(iterated(given)))

    return build


def _iterator(args: Many[Kind], keywords: Keywords) -> Kind:
    return Sequence("iterator", shallow(iterated(args[0]))) if args else UNKNOWN


def _zip(args: Many[Kind], keywords: Keywords) -> Kind:
    lengths = {length(arg) for arg in args}
    if len(lengths) == 1 and None not in lengths:
        rows = zip(*(arg.items for arg in args if isinstance(arg, Sequence) and arg.items is not None), strict=True)
        return sequence("iterator", (sequence("tuple", row) for row in rows))
    return Sequence("iterator", shallow(sequence("tuple", (iterated(arg) for arg in args))))


def _enumerate(args: Many[Kind], keywords: Keywords) -> Kind:
    if not args:
        return UNKNOWN
    given = args[0]
    if isinstance(given, Sequence) and given.items is not None:
        return sequence("iterator", (sequence("tuple", (INT, item)) for item in given.items))
    return Sequence("iterator", shallow(sequence("tuple", (INT, iterated(given)))))


def _range(args: Many[Kind], keywords: Keywords) -> Kind:
    if any(isinstance(arg, Scalar) for arg in args):
        return Sequence("range", Scalar("int"))
    return Sequence("range", INT)


def _extremum(args: Many[Kind], keywords: Keywords) -> Kind:
    values = [iterated(args[0])] if len(args) == 1 else list(args)
    if len(values) > 1 and not keywords and _are_tensors_and_numbers(values):
        return reduce(lambda left, right: operator_result("torch", Call("maximum", (left, right))), values)
    if "default" in keywords:
        values.append(keywords["default"])
    return together(values)


def _are_tensors_and_numbers(values: Many[Kind]) -> bool:
    """Of what Dynamo makes an operator in the graph, which gives a tensor also where a number is the larger one."""
    return any(isinstance(value, Tensor) for value in values) and all(
        isinstance(value, Tensor) or (isinstance(value, Const | Python) and value.type in ("int", "float"))
        for value in values
    )


def _sum(args: Many[Kind], keywords: Keywords) -> Kind:
    if not args:
        return UNKNOWN
    kind = iterated(args[0])
    if isinstance(kind, Tensor) and length(args[0]) != 1:
        return Tensor(kind.dtype if kind.dtype != "bool" else "int", kind.ndim, kind.confidence)
    return INT if is_bool(kind) else kind


def _round(args: Many[Kind], keywords: Keywords) -> Kind:
    tensor = tensor_part(args[0]) if args else None
    if tensor is not None:
        return tensor
    return _number("float" if len(args) > 1 or keywords else "int")(args[:1], {})


def _abs(args: Many[Kind], keywords: Keywords) -> Kind:
    if args and tensor_part(args[0]) is not None:
        return operator_result("torch", Call("abs", tuple(args)))
    match args[0] if args else UNKNOWN:
        case Scalar() | Array() | Python() as kind:
            return kind
        case Const() as kind:
            return Python(type_name(kind))
        case _:
            return UNKNOWN


def _pow(args: Many[Kind], keywords: Keywords) -> Kind:
    if any(tensor_part(arg) is not None for arg in args):
        return operator_result("torch", Call("pow", tuple(args)))
    return together(args)


def _truth(args: Many[Kind], keywords: Keywords) -> Kind:
    """`any`, `all` over an iterable."""
    return Scalar("bool") if args and carries_data(iterated(args[0])) else BOOL


def _next(args: Many[Kind], keywords: Keywords) -> Kind:
    return join(*(iterated(args[0]), *args[1:])) if args else UNKNOWN


def _len(args: Many[Kind], keywords: Keywords) -> Kind:
    """A number that is known of shapes, and of tuples that the program put together: `len(x_and_size) == 2` tells which
    one it is."""
    match args:
        case [Sequence(type="tuple", items=tuple(items), record=False)] if items and (
            all(item in (INT, SIZE) for item in items) or any(tensor_part(item) for item in items)
        ):
            return Const(len(items))
        case [Sequence(type="tuple", items=tuple(items), record=True)]:
            return Const(len(items))
        case [Dictionary(entries=(), closed=True)]:
            return Const(0)
        case _:
            return INT


def dictionary(args: Many[Kind], keywords: Keywords) -> Kind:
    """`dict(other)`, `dict(pairs)`, `dict(key=value)`."""
    if not args:
        values = join(*keywords.values()) if keywords else UNKNOWN
        return Dictionary(values, tuple(keywords.items()))
    given = args[0]
    if isinstance(given, Dictionary):
        return replace(given, default=False, closed=False)
    pair = iterated(given)
    if isinstance(pair, Sequence) and pair.items is not None and len(pair.items) == 2:
        return Dictionary(shallow(pair.items[1]))
    return Dictionary(UNKNOWN)


BUILTINS: Mapping[str, Handler] = {
    "len": _len,
    **{name: _number(name) for name in ("int", "float", "bool", "complex")},
    **dict.fromkeys(("str", "repr", "ascii", "format", "chr", "bin", "hex", "oct", "input"), _fixed(STR)),
    **{name: _fixed(BOOL) for name in ("isinstance", "issubclass", "hasattr", "callable")},
    **{name: _fixed(INT) for name in ("id", "hash", "ord")},
    **{name: _fixed(NONE) for name in ("print", "setattr", "delattr", "breakpoint")},
    **{name: container(name) for name in ("list", "tuple", "set", "frozenset")},
    "sorted": container("list"),
    "reversed": _iterator,
    "iter": _iterator,
    "zip": _zip,
    "enumerate": _enumerate,
    "range": _range,
    "max": _extremum,
    "min": _extremum,
    "sum": _sum,
    "round": _round,
    "abs": _abs,
    "pow": _pow,
    "any": _truth,
    "all": _truth,
    "next": _next,
    "dict": dictionary,
    "slice": _fixed(Python("slice")),
    "divmod": lambda args, keywords: sequence("tuple", (together(args), together(args))),
    "bytes": _fixed(Python("bytes")),
    **{name: _fixed(Dictionary(UNKNOWN)) for name in ("globals", "locals", "vars")},
    "dir": _fixed(Sequence("list", STR)),
    "type": _fixed(OBJECT),
    "open": _fixed(External("io.TextIOWrapper")),
    "object": _fixed(OBJECT),
}
