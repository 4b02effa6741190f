"""Python's own values: what operators make of them, and what their methods give."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from msgspec.structs import replace

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    KEYS,
    NONE,
    NUMPY_FLOAT,
    OBJECT,
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
    any_value,
    each_value,
    element,
    join,
    options,
    sequence,
    shallow,
    tensor_part,
    type_name,
)
from compilelint.inspect.signatures.calls import Call, iterated
from compilelint.inspect.signatures.rules import words
from compilelint.inspect.signatures.tensors import operator_result

STR_METHODS: Mapping[str, Kind] = {
    **dict.fromkeys(
        words("""
    startswith endswith isdigit isalpha isalnum isnumeric isdecimal islower isupper isspace isidentifier
"""),
        BOOL,
    ),
    **dict.fromkeys(words("find index rfind rindex count"), INT),
    **dict.fromkeys(words("split rsplit splitlines"), Sequence("list", STR)),
    **dict.fromkeys(words("partition rpartition"), sequence("tuple", (STR, STR, STR))),
    "encode": Python("bytes"),
}
ANY_METHODS: Mapping[str, Kind] = {"is_integer": BOOL, "bit_length": INT, "hex": STR}


def carries_data(kind: Kind) -> bool:
    """Whether a value may have been read out of a tensor."""
    return any(isinstance(option, (Tensor, Scalar, Array)) for option in options(kind))


def together(values: Many[Kind]) -> Kind:
    """One of the values, or what an arithmetic operator makes of them."""
    if any(isinstance(value, Scalar) for value in values) and not any(tensor_part(value) for value in values):
        types = {value.type for value in values if isinstance(value, Scalar)}
        return Scalar("float" if "float" in types or FLOAT in values else types.pop())
    return join(*values)


COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def arithmetic(name: str, args: Many[Kind]) -> Kind:
    """What an operator gives, by its name in the `operator` module: `add`, `getitem`, `and_`, `invert` …"""
    if name in ("is_", "is_not"):
        return BOOL
    if name == "getitem" and len(args) == 2 and tensor_part(args[0]) is None:
        return _item(args[0], args[1])
    tensors = [part for part in map(tensor_part, args) if part is not None]
    if tensors:
        confidence = max(tensor.confidence for tensor in tensors)
        return operator_result("torch.Tensor", Call(f"__{name.strip('_')}__", tuple(args), {}, confidence))
    if any(isinstance(arg, Array) for arg in args):
        return Array("bool" if name in COMPARISONS else None)
    if name in COMPARISONS or name in ("not_", "contains", "truth"):
        return Scalar("bool") if any(isinstance(arg, Scalar) for arg in args) else BOOL
    if any(arg == UNKNOWN for arg in args):
        return UNKNOWN
    if any(isinstance(arg, Scalar) for arg in args):
        return Scalar("float") if name == "truediv" else together(args)
    return _of_numbers(name, args)


def _item(container: Kind, key: Kind) -> Kind:
    """`container[key]`."""
    match container, key:
        case Sequence(items=tuple(items)), Const(value=int(index)) if -len(items) <= index < len(items):
            return items[index]
        case Sequence(), Python(type="slice"):
            return Sequence(container.type, element(container))
        case Sequence(), _:
            return element(container)
        case Dictionary(entries=entries), Const(value=name):
            return next((kind for entry, kind in entries if entry == name), container.value)
        case Dictionary(), _:
            return any_value(container)
        case External(args=layers), Const(value=int(index)) if -len(layers) <= index < len(layers):
            return layers[index]
        case External(cls="torch.nn.ModuleList" | "torch.nn.ModuleDict", args=layers), _ if layers:
            return join(*layers)
        case ((Const(value=str()) | Python(type="str")), _):
            return STR
        case Array(), _:
            return container
        case _:
            return UNKNOWN


def _of_numbers(name: str, args: Many[Kind]) -> Kind:
    types = {type_name(arg) for arg in args if isinstance(arg, (Const, Python))}
    if len(types) == 0 or not all(isinstance(arg, (Const, Python)) for arg in args):
        return UNKNOWN
    if types <= {"int", "float", "bool"} and any(isinstance(arg, Python) and arg.numpy for arg in args):
        return NUMPY_FLOAT
    if name == "truediv" and types <= {"int", "float", "bool"}:
        return FLOAT
    if types <= {"int", "bool"}:
        return BOOL if types == {"bool"} and name in ("and_", "or_", "xor") else INT
    if types <= {"int", "float", "bool"}:
        return FLOAT
    if "str" in types and name in ("add", "mul", "mod"):
        return STR
    return UNKNOWN


def value_method(receiver: Kind | None, name: str, args: Many[Kind], keywords: Mapping[str, Kind]) -> Kind:
    """What a method of a Python value gives: of a str, a dict, a list …"""
    match receiver:
        case Const(value=str(text)):
            found = _of_known_text(text, name, args) if not keywords else None
            return found or STR_METHODS.get(name, STR)
        case Python(type="str"):
            return STR_METHODS.get(name, STR)
        case Python(numpy=True) if name == "astype":
            # `np.ceil(n / 3)` is a number while tracing, what its methods make of it an array again.
            return Array(number=True)
        case Dictionary():
            return _dict_method(receiver, name, args)
        case Sequence():
            return _sequence_method(receiver, name)
        case Scalar(type=type_):
            if name == "is_integer":
                return Scalar("bool")
            return Scalar(type_) if hasattr(float, name) or hasattr(int, name) else UNKNOWN
        case _:
            return ANY_METHODS.get(name, UNKNOWN)


_COMPUTED = frozenset(
    words("""
    startswith endswith split rsplit partition rpartition strip lstrip rstrip lower upper replace removeprefix
    removesuffix isdigit isdecimal isnumeric
""")
)


def _of_known_text(text: str, name: str, args: Many[Kind]) -> Kind | None:
    """What a method of a text that is known comes to, where what it is given is known, too."""
    if name not in _COMPUTED or not all(isinstance(arg, Const) for arg in args):
        return None
    try:
        found = getattr(text, name)(*(arg.value for arg in args if isinstance(arg, Const)))
    except (TypeError, ValueError):
        return None
    if isinstance(found, list | tuple):
        return sequence(type(found).__name__, (Const(part) for part in found))
    return Const(found)


def _dict_method(receiver: Dictionary, name: str, args: Many[Kind]) -> Kind:
    match name:
        case "get" | "pop" | "setdefault" if args:
            found = _item(receiver, args[0])
            is_known = isinstance(args[0], Const) and any(key == args[0].value for key, _ in receiver.entries)
            default = args[1] if len(args) > 1 else NONE
            if receiver.closed and isinstance(args[0], Const) and not is_known:
                return default
            if name == "setdefault" and found == UNKNOWN and isinstance(default, Sequence | Dictionary):
                # `log.setdefault("loss", [])`: what is there was put there as this would be.
                return Sequence(default.type, UNKNOWN) if isinstance(default, Sequence) else Dictionary(UNKNOWN)
            if name == "get" and receiver.entries and isinstance(args[0], Const) and not is_known:
                # What is there is known, and this is not: who puts it there, if anybody, puts something else.
                return join(OBJECT, default)
            return found if is_known or (name == "pop" and len(args) == 1) else join(found, default)
        case "keys":
            return Sequence(KEYS, shallow(iterated(receiver)))
        case "values":
            return Sequence("iterator", shallow(each_value(receiver)))
        case "items":
            pair = sequence("tuple", (iterated(receiver), each_value(receiver)))
            return Sequence("iterator", shallow(pair))
        case "copy":
            return replace(receiver, default=False, closed=False)
        case "update" | "clear":
            return NONE
        case _:
            return UNKNOWN


NO_RESULT = words("append appendleft extend insert remove clear sort reverse add discard update rotate")
SAME_TYPE = words("copy union intersection difference symmetric_difference")


def _sequence_method(receiver: Sequence, name: str) -> Kind:
    if name in NO_RESULT:
        return NONE
    if name in SAME_TYPE:
        return replace(receiver, default=False)
    if name in ("pop", "popleft"):
        return element(receiver)
    return INT if name in ("index", "count", "numel") else UNKNOWN
