"""Builtins and the standard library, as far as values flow through them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    Kind,
    Partial,
    Python,
    Scalar,
    Sequence,
    Tensor,
    element,
    join,
    options,
    sequence,
    shallow,
    tensor_part,
    type_name,
)
from compilelint.inspect.signatures.calls import Call, iterated, length
from compilelint.inspect.signatures.rules import words
from compilelint.inspect.signatures.tensors import operator_result

Keywords = Mapping[str, Kind]


def carries_data(kind: Kind) -> bool:
    """Whether a value may have been read out of a tensor."""
    return any(isinstance(option, (Tensor, Scalar, Array)) for option in options(kind))


def _number(type_: str) -> Callable[[Many[Kind], Keywords], Kind]:
    def convert(args: Many[Kind], keywords: Keywords) -> Kind:
        if any(carries_data(arg) for arg in args):
            return Scalar(type_)
        return UNKNOWN if any(arg == UNKNOWN for arg in args) else Python(type_)

    return convert


def _fixed(kind: Kind) -> Callable[[Many[Kind], Keywords], Kind]:
    return lambda args, keywords: kind


def _container(type_: str) -> Callable[[Many[Kind], Keywords], Kind]:
    def build(args: Many[Kind], keywords: Keywords) -> Kind:
        if not args:
            return Sequence(type_, UNKNOWN, ())
        given = args[0]
        if isinstance(given, Sequence) and given.items is not None and type_ in ("list", "tuple"):
            return sequence(type_, given.items)
        return Sequence(type_, shallow(iterated(given)))

    return build


def _iterator(args: Many[Kind], keywords: Keywords) -> Kind:
    return Sequence("iterator", shallow(iterated(args[0]))) if args else UNKNOWN


def _zip(args: Many[Kind], keywords: Keywords) -> Kind:
    lengths = {length(arg) for arg in args}
    if len(lengths) == 1 and None not in lengths:
        rows = zip(
            *(arg.items for arg in args if isinstance(arg, Sequence) and arg.items is not None), strict=True
        )
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
    if "default" in keywords:
        values.append(keywords["default"])
    return _together(values)


def _together(values: Many[Kind]) -> Kind:
    """One of the values, or what an arithmetic operator makes of them."""
    if any(isinstance(value, Scalar) for value in values) and not any(tensor_part(value) for value in values):
        types = {value.type for value in values if isinstance(value, Scalar)}
        return Scalar("float" if "float" in types or FLOAT in values else types.pop())
    return join(*values)


def _sum(args: Many[Kind], keywords: Keywords) -> Kind:
    if not args:
        return UNKNOWN
    kind = iterated(args[0])
    if isinstance(kind, Tensor) and length(args[0]) != 1:
        return Tensor(kind.dtype if kind.dtype != "bool" else "int", kind.ndim, kind.confidence)
    return BOOL_SUM if kind == BOOL else kind


BOOL_SUM = INT


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
    return _together(args)


def _truth(args: Many[Kind], keywords: Keywords) -> Kind:
    """`any`, `all` over an iterable."""
    return Scalar("bool") if args and carries_data(iterated(args[0])) else BOOL


def _next(args: Many[Kind], keywords: Keywords) -> Kind:
    return join(*(iterated(args[0]), *args[1:])) if args else UNKNOWN


def _text(args: Many[Kind], keywords: Keywords) -> Kind:
    return STR


def _dict(args: Many[Kind], keywords: Keywords) -> Kind:
    if not args:
        values = join(*keywords.values()) if keywords else UNKNOWN
        return Dictionary(values, tuple(keywords.items()))
    given = args[0]
    if isinstance(given, Dictionary):
        return given
    pair = iterated(given)
    if isinstance(pair, Sequence) and pair.items is not None and len(pair.items) == 2:
        return Dictionary(shallow(pair.items[1]))
    return Dictionary(UNKNOWN)


def _partial(args: Many[Kind], keywords: Keywords) -> Kind:
    return Partial(args[0], tuple(args[1:])) if args else UNKNOWN


def _length(args: Many[Kind], keywords: Keywords) -> Kind:
    return INT


BUILTINS: Mapping[str, Callable[[Many[Kind], Keywords], Kind]] = {
    "len": _length,
    **{name: _number(name) for name in ("int", "float", "bool", "complex")},
    **dict.fromkeys(("str", "repr", "ascii", "format", "chr", "bin", "hex", "oct", "input"), _text),
    **{name: _fixed(BOOL) for name in ("isinstance", "issubclass", "hasattr", "callable")},
    **{name: _fixed(INT) for name in ("id", "hash", "ord")},
    **{name: _fixed(NONE) for name in ("print", "setattr", "delattr", "breakpoint")},
    **{name: _container(name) for name in ("list", "tuple", "set", "frozenset")},
    "sorted": _container("list"),
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
    "dict": _dict,
    "slice": _fixed(Python("slice")),
    "divmod": lambda args, keywords: sequence("tuple", (_together(args), _together(args))),
    "bytes": _fixed(Python("bytes")),
    "open": _fixed(External("io.IOBase")),
    "object": _fixed(OBJECT),
}
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
INTEGERS = words("floor ceil trunc gcd lcm comb perm factorial isqrt")
BOOLEANS = words("isnan isinf isfinite isclose")
FUNCTIONS: Mapping[str, Kind] = {
    **dict.fromkeys(
        ("time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.thread_time"), FLOAT
    ),
    **dict.fromkeys(("time.time_ns", "time.perf_counter_ns", "time.monotonic_ns"), INT),
    "time.sleep": NONE,
    **dict.fromkeys(("time.strftime", "time.ctime"), STR),
    **dict.fromkeys(
        ("random.random", "random.uniform", "random.gauss", "random.normalvariate", "random.betavariate"),
        FLOAT,
    ),
    **dict.fromkeys(("random.randint", "random.randrange", "random.getrandbits"), INT),
    **dict.fromkeys(("random.seed", "random.shuffle", "gc.collect", "warnings.warn", "sys.exit"), NONE),
    "os.environ.get": join(STR, NONE),
    "os.getenv": join(STR, NONE),
    **dict.fromkeys(("os.path.exists", "os.path.isfile", "os.path.isdir"), BOOL),
    **dict.fromkeys(
        ("os.path.join", "os.path.basename", "os.path.dirname", "os.path.abspath", "os.getcwd"), STR
    ),
    "os.listdir": Sequence("list", STR),
    "os.getpid": INT,
    "logging.getLogger": External("logging.Logger"),
    "pathlib.Path": External("pathlib.Path"),
    "datetime.datetime.now": External("datetime.datetime"),
    "uuid.uuid4": External("uuid.UUID"),
    "sys.getsizeof": INT,
    "json.dumps": STR,
    "inspect.signature": External("inspect.Signature"),
    "inspect.isfunction": BOOL,
    "inspect.isclass": BOOL,
    "dataclasses.is_dataclass": BOOL,
    "logging.Logger.isEnabledFor": BOOL,
    "logging.Logger.getEffectiveLevel": INT,
    **{
        f"logging.{owner}{name}": NONE
        for owner in ("", "Logger.")
        for name in ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")
    },
}
COPIES = frozenset({"copy.copy", "copy.deepcopy", "typing.cast"})


def library_function(callee: str, args: Many[Kind], keywords: Keywords) -> Kind:
    """What a function of the standard library gives; Unknown where it is not in the table."""
    module, _, name = callee.rpartition(".")
    if module == "builtins":
        handler = BUILTINS.get(name)
        return handler(args, keywords) if handler is not None else UNKNOWN
    if module == "math":
        return math_function(name, args)
    if module == "operator":
        return arithmetic(name, args)
    if callee in COPIES and args:
        return args[-1]
    if callee == "functools.partial":
        return _partial(args, keywords)
    if callee in ("collections.OrderedDict", "collections.defaultdict", "collections.Counter"):
        return (
            _dict(args if name == "OrderedDict" else (), keywords)
            if args or keywords
            else Dictionary(UNKNOWN)
        )
    if callee == "collections.deque":
        return _container("deque")(args, keywords)
    if callee in ("random.choice", "random.sample", "random.choices") and args:
        return iterated(args[0]) if name == "choice" else Sequence("list", shallow(iterated(args[0])))
    if module == "itertools":
        return _itertools(name, args)
    return FUNCTIONS.get(callee, UNKNOWN)


def _itertools(name: str, args: Many[Kind]) -> Kind:
    match name:
        case "chain" if args:
            return Sequence("iterator", shallow(join(*(iterated(arg) for arg in args))))
        case "count":
            return Sequence("iterator", INT)
        case "product" | "zip_longest":
            return Sequence("iterator", shallow(sequence("tuple", (iterated(arg) for arg in args))))
        case "islice" | "cycle" | "repeat" if args:
            return Sequence("iterator", shallow(args[0] if name == "repeat" else iterated(args[0])))
        case "combinations" | "permutations" | "pairwise" if args:
            return Sequence("iterator", Sequence("tuple", shallow(iterated(args[0]))))
        case _:
            return Sequence("iterator", UNKNOWN)


def math_function(name: str, args: Many[Kind]) -> Kind:
    """`math.sqrt(n)` is a float, and one read from a tensor if its argument was."""
    type_ = "int" if name in INTEGERS else "bool" if name in BOOLEANS else "float"
    if name == "prod" and args:
        kind = iterated(args[0])
        return (
            Scalar() if carries_data(kind) else INT if kind == INT else UNKNOWN if kind == UNKNOWN else FLOAT
        )
    if any(carries_data(arg) or carries_data(iterated(arg)) for arg in args):
        return Scalar(type_)
    return Python(type_)


COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def arithmetic(name: str, args: Many[Kind]) -> Kind:
    """What an operator gives, by its name in the `operator` module: `add`, `getitem`, `and_`, `invert` …"""
    if any(tensor_part(arg) is not None for arg in args) and not (
        name == "getitem" and not _is_tensor(args[0])
    ):
        confidence = max(part.confidence for arg in args if (part := tensor_part(arg)) is not None)
        return operator_result("torch.Tensor", Call(f"__{name.strip('_')}__", tuple(args), {}, confidence))
    if any(isinstance(arg, Array) for arg in args):
        return Array("bool" if name in COMPARISONS else None)
    if name in COMPARISONS or name in ("not_", "is_", "is_not", "contains", "truth"):
        return Scalar("bool") if any(isinstance(arg, Scalar) for arg in args) else BOOL
    if name == "getitem":
        return _item(args)
    if any(arg == UNKNOWN for arg in args):
        return UNKNOWN
    if any(isinstance(arg, Scalar) for arg in args):
        return Scalar("float") if name == "truediv" else _together(args)
    return _of_numbers(name, args)


def _is_tensor(kind: Kind) -> bool:
    return tensor_part(kind) is not None


def _item(args: Many[Kind]) -> Kind:
    if len(args) != 2:
        return UNKNOWN
    container, key = args
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
            return container.value
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
    if name == "truediv" and types <= {"int", "float", "bool"}:
        return FLOAT
    if types <= {"int", "bool"}:
        return BOOL if types == {"bool"} and name in ("and_", "or_", "xor") else INT
    if types <= {"int", "float", "bool"}:
        return FLOAT
    if "str" in types and name in ("add", "mul", "mod"):
        return STR
    return UNKNOWN


def value_method(receiver: Kind | None, name: str, args: Many[Kind]) -> Kind:
    """What a method of a Python value gives: of a str, a dict, a list …"""
    match receiver:
        case Const(value=str()) | Python(type="str"):
            return STR_METHODS.get(name, STR)
        case Dictionary():
            return _dict_method(receiver, name, args)
        case Sequence():
            return _sequence_method(receiver, name, args)
        case Scalar(type=type_):
            return Scalar("bool") if name == "is_integer" else Scalar(type_)
        case _:
            return ANY_METHODS.get(name, UNKNOWN)


def _dict_method(receiver: Dictionary, name: str, args: Many[Kind]) -> Kind:
    match name:
        case "get" | "pop" | "setdefault" if args:
            found = _item((receiver, args[0]))
            is_known = isinstance(args[0], Const) and any(key == args[0].value for key, _ in receiver.entries)
            default = args[1] if len(args) > 1 else NONE
            return found if is_known or (name == "pop" and len(args) == 1) else join(found, default)
        case "keys":
            return Sequence("iterator", shallow(iterated(receiver)))
        case "values":
            return Sequence("iterator", shallow(_any_value(receiver)))
        case "items":
            pair = sequence("tuple", (iterated(receiver), _any_value(receiver)))
            return Sequence("iterator", shallow(pair))
        case "copy":
            return receiver
        case "update" | "clear":
            return NONE
        case _:
            return UNKNOWN


def _any_value(receiver: Dictionary) -> Kind:
    return join(*(kind for _, kind in receiver.entries)) if receiver.entries else receiver.value


def _sequence_method(receiver: Sequence, name: str, args: Many[Kind]) -> Kind:
    match name:
        case (
            "append"
            | "extend"
            | "insert"
            | "remove"
            | "clear"
            | "sort"
            | "reverse"
            | "add"
            | "discard"
            | "update"
        ):
            return NONE
        case "pop" | "popleft":
            return element(receiver)
        case "index" | "count" | "numel":
            return INT
        case "copy":
            return receiver
        case _:
            return UNKNOWN
