"""The methods that Python's syntax calls on objects: of `a | b`, `del a[0]`, `k in d`, `len(d)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import nullcontext

from compilelint.inspect import kinds
from compilelint.inspect.calling import calls
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.inspect.sureness import confidence_of, is_tensor_like
from compilelint.report.confidence import Confidence

BINARY: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
COMPARISONS: dict[type, str] = {
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
}
UNARY: dict[type, str] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}
BY_BUILTIN: dict[str, str] = {
    **{
        f"builtins.{name}": f"__{name}__"
        for name in ("len", "hash", "bool", "int", "float", "repr", "divmod", "reversed", "format", "abs", "round")
    },
    **dict.fromkeys(
        (
            "builtins.list",
            "builtins.tuple",
            "builtins.set",
            "builtins.frozenset",
            "builtins.sorted",
            "builtins.iter",
            "builtins.sum",
            "builtins.max",
            "builtins.min",
            "builtins.any",
            "builtins.all",
            "builtins.enumerate",
            "builtins.dict",
            "builtins.zip",
            "builtins.map",
        ),
        "__iter__",
    ),
}
"""Builtin functions that are a method of what they are given."""
_COMPUTED = frozenset(f"__{way}{name}__" for name in BINARY.values() for way in ("", "i", "r"))
_PLAIN_BASES = frozenset(
    {
        "abc.ABC",
        "builtins.object",
        "torch.nn.Module",
        "torch.nn.modules.module.Module",
        "typing.Generic",
        "typing.Protocol",
    }
)
"""Bases that have no operators of their own."""
_NOT_ENTERED = frozenset({"__invert__", "__format__"})
"""Methods at whose call Dynamo gives up the function (torch 2.13), or fails: what is in them is not compiled."""
_NOT_RESUMED = frozenset({*UNARY.values(), "__contains__", "__delitem__"})
"""Methods that run for what is no call in the bytecode, so that a break in them drops who asks for it (seen on
torch 2.5.1, 2.9.1, 2.13.0 and 2.15.0)."""
_ENTERED = (
    frozenset({*BY_BUILTIN.values(), *UNARY.values(), "__contains__", "__delitem__", "__setitem__"}) - _NOT_ENTERED
)
"""Methods of which only the call matters here. What others give does, too: they are walked where that is asked for."""


def call(frame: Frame, node: ast.AST, receiver: Kind, method: str, args: Sequence[Kind] = ()) -> None:
    """Report that syntax calls a method of a container, an object or a class; and walk it, if the project defines it.

    Numbers and text are left out, and tensors, whose operators are operators of torch, but for those that Dynamo takes
    into no graph.
    """
    if not frame.is_heard:
        return
    for option in kinds.options(receiver):
        owner = _owner(frame, option, method, args)
        if owner:
            frame.emit(
                "operator",
                node,
                callee=f"{owner}.{method}",
                receiver=option,
                args=args,
                confidence=confidence_of(receiver, option),
            )
        if isinstance(option, kinds.Instance) and method in _ENTERED:
            with frame.aggravated("as an operator is computed") if method in _NOT_RESUMED else nullcontext():
                calls.call_method(frame, option, method, _as_passed(method, args))


def _as_passed(method: str, args: Sequence[Kind]) -> tuple[Kind, ...]:
    """What a method is passed: of `a[i, j] = v` the key is one tuple."""
    match method, args:
        case "__setitem__", [_, _, *_, value]:
            return UNKNOWN if len(args) > 2 else args[0], value
        case "__delitem__", [_, _, *_]:
            return (UNKNOWN,)
        case _:
            return tuple(args)


def call_of_draw(frame: Frame, node: ast.AST, draw: Kind, method: str, args: Sequence[Kind] = ()) -> None:
    """Report that syntax calls a method of a number, if Python's `random` drew it."""
    if isinstance(draw, kinds.Scalar) and draw.drawn:
        frame.emit("operator", node, callee=f"builtins.{draw.type}.{method}", receiver=draw, args=args)


def _owner(frame: Frame, kind: Kind, method: str, args: Sequence[Kind]) -> str:
    """The name of the class that defines the method, as far as rules are concerned; "" for what is left out."""
    match kind:
        case kinds.Tensor(parameter=True, sparse=True):
            return "torch.Tensor"
        case kinds.Sequence() | kinds.Dictionary() | kinds.Reference(name="sys.version_info"):
            return attributes.class_name(frame.inspector, kind)
        case kinds.External(cls=cls) if not cls.startswith("torch.nn."):
            return cls
        case kinds.Instance() if any(map(is_tensor_like, args)) and method in _COMPUTED:
            return "builtins.object" if _computes_with_tensors(frame, kind, method) else ""
        case kinds.Instance(module=False, cls=cls):
            outside = classes.external_bases(frame.inspector, cls)
            is_own = method == "__hash__" or classes.find_method(frame.inspector, cls, method) is not None
            return "builtins.object" if is_own or not outside else outside[0]
        case kinds.ProjectClass():
            # `Own | list` makes a union, and so does Dynamo; `class_unions` tells of those that it cannot make.
            return "" if method == "__or__" else "builtins.type"
        case _:
            return ""


def _computes_with_tensors(frame: Frame, owner: kinds.Instance, method: str) -> bool:
    """Whether an object has a method of its own for an operator with a tensor, which is not torch's to call."""
    names = (method, method.replace("__i", "__", 1))
    if not any(classes.find_method(frame.inspector, owner.cls, name) is not None for name in names):
        return False
    outside = classes.external_bases(frame.inspector, owner.cls)
    return _PLAIN_BASES.issuperset(outside) and (
        classes.find_method(frame.inspector, owner.cls, "__torch_function__") is None
    )


def hashed(frame: Frame, node: ast.expr | None, key: Kind) -> None:
    """Report that a key of a dict, or an element of a set, is an object of the project, or a number of numpy's."""
    if node is not None and isinstance(key, kinds.Instance):
        call(frame, node, key, "__hash__")
    elif node is not None:
        looked_up(frame, node, key)


def looked_up(frame: Frame, node: ast.AST, key: Kind) -> None:
    """Report that something is looked up in a dict or a set by what an array gives: Python hashes that number, which to
    Dynamo is an array."""
    for option in kinds.options(key):
        if isinstance(option, kinds.Array) and not option.kept:
            sure = Confidence.HIGH if option == key else Confidence.LOW
            frame.emit("operator", node, callee="numpy.ndarray.__hash__", receiver=option, confidence=sure)


def compare_with_none(frame: Frame, node: ast.AST, value: Kind, op: ast.cmpop) -> None:
    """Report `x == None` and `x != None`, which ask a tensor and not Python."""
    tensor = kinds.tensor_part(value)
    if tensor is not None:
        frame.emit(
            "operator",
            node,
            callee=f"torch.Tensor.{COMPARISONS[type(op)]}",
            receiver=value,
            args=(kinds.NONE,),
            confidence=tensor.confidence,
        )


def ask_what_it_is(frame: Frame, node: ast.AST, value: Kind, callee: str) -> None:
    """Report of objects from outside that they are asked what they are: there are some that Dynamo does not look at."""
    for option in kinds.options(value):
        if isinstance(option, kinds.External):
            confidence = Confidence.HIGH if option == value else Confidence.MEDIUM
            frame.emit("operator", node, callee=callee, receiver=option, confidence=confidence)
