"""The standard library, as far as values flow through it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from compilelint.inspect.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    SIZE,
    STR,
    UNKNOWN,
    Dictionary,
    External,
    Kind,
    Partial,
    Python,
    Reference,
    Scalar,
    Sequence,
    join,
    sequence,
    shallow,
    tensor_part,
)
from compilelint.inspect.signatures.builtin import BUILTINS, Keywords, container, dictionary
from compilelint.inspect.signatures.calls import iterated
from compilelint.inspect.signatures.rules import words
from compilelint.inspect.signatures.values import arithmetic, carries_data

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
        ("random.random", "random.gauss", "random.normalvariate", "random.betavariate"),
        FLOAT,
    ),
    "random.getrandbits": INT,
    **dict.fromkeys(("random.uniform", "random.Random.uniform", "random.Random.random"), Scalar("float", drawn=True)),
    **dict.fromkeys(
        (f"random.{owner}{name}" for owner in ("", "Random.") for name in ("randint", "randrange")),
        Scalar("int", drawn=True),
    ),
    **dict.fromkeys(("random.seed", "random.shuffle", "gc.collect", "warnings.warn", "sys.exit"), NONE),
    "os.environ.get": join(STR, NONE),
    "os.getenv": join(STR, NONE),
    **dict.fromkeys(("os.path.exists", "os.path.isfile", "os.path.isdir"), BOOL),
    **dict.fromkeys(("os.path.join", "os.path.basename", "os.path.dirname", "os.path.abspath", "os.getcwd"), STR),
    **dict.fromkeys(("os.path.expanduser", "os.path.normpath", "os.path.realpath", "os.fspath"), STR),
    **dict.fromkeys(("os.makedirs", "os.remove", "os.unlink", "os.rename", "os.replace"), NONE),
    "os.path.splitext": sequence("tuple", (STR, STR)),
    "os.path.split": sequence("tuple", (STR, STR)),
    "os.cpu_count": INT,
    "os.listdir": Sequence("list", STR),
    "os.getpid": INT,
    "logging.getLogger": External("logging.Logger"),
    "pathlib.Path": External("pathlib.Path"),
    "collections.namedtuple": Reference("collections.namedtuple.type"),
    "collections.namedtuple.type": External("collections.namedtuple.type"),
    "re.compile": External("re.Pattern"),
    **dict.fromkeys(
        [f"re.{owner}{name}" for owner in ("", "Pattern.") for name in ("match", "search", "fullmatch")],
        join(External("re.Match"), NONE),
    ),
    "datetime.datetime.now": External("datetime.datetime"),
    "datetime.datetime": External("datetime.datetime"),
    "datetime.date": External("datetime.date"),
    "datetime.timedelta": External("datetime.timedelta"),
    "itertools.count": External("itertools.count"),
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
        if handler is not None:
            return handler(args, keywords)
        return External(callee) if name.endswith(("Error", "Exception", "Warning")) else UNKNOWN
    if module == "math":
        return math_function(name, args)
    if module == "operator":
        return arithmetic(name, args)
    if callee in COPIES and args:
        return args[-1]
    if callee == "functools.partial":
        return Partial(args[0], tuple(args[1:])) if args else UNKNOWN
    if callee in ("collections.OrderedDict", "collections.defaultdict", "collections.Counter"):
        made = dictionary(args if name == "OrderedDict" else (), keywords) if args or keywords else UNKNOWN
        value, entries = (made.value, made.entries) if isinstance(made, Dictionary) else (UNKNOWN, ())
        return Dictionary(_missing(name, args) if value == UNKNOWN else value, entries, name)
    if callee == "collections.deque":
        return container("deque")(args, keywords)
    if callee in ("random.choice", "random.sample", "random.choices") and args:
        return iterated(args[0]) if name == "choice" else Sequence("list", shallow(iterated(args[0])))
    if module == "itertools" and callee not in FUNCTIONS:
        return _itertools(name, args)
    given = FUNCTIONS.get(callee, UNKNOWN)
    return _drawn_eagerly(given, args) if isinstance(given, Scalar) and given.drawn else given


def _drawn_eagerly(drawn: Scalar, args: Many[Kind]) -> Kind:
    """What `random` draws between bounds; Dynamo leaves the draw to Python where a tensor is one of them.

    `randrange(0, lengths.amin())` is then a number like any other, `uniform(0, x.max())` a tensor."""
    if not any(tensor_part(arg) for arg in args):
        return drawn
    return Python(drawn.type) if drawn.type == "int" else arithmetic("add", args)


def _missing(name: str, args: Many[Kind]) -> Kind:
    """What a dict gives for a key that it has not: a Counter 0, `defaultdict(int)` what its argument makes."""
    match name, args:
        case "Counter", _:
            return INT
        case "defaultdict", [Reference(made), *_]:
            return _MADE.get(made, UNKNOWN)
        case _:
            return UNKNOWN


_MADE: dict[str, Kind] = {
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.list": Sequence("list", UNKNOWN),
    "builtins.set": Sequence("set", UNKNOWN),
}


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
        return Scalar() if carries_data(kind) else kind if kind in (INT, SIZE, UNKNOWN) else FLOAT
    if any(carries_data(arg) or carries_data(iterated(arg)) for arg in args):
        return Scalar(type_)
    return Python(type_)
