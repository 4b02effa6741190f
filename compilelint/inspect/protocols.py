"""The methods that Python's syntax calls on objects: of `a | b`, `del a[0]`, `k in d`, `len(d)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from compilelint.inspect import attributes, calls, classes, kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind

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
BY_BUILTIN: dict[str, str] = {
    "builtins.len": "__len__",
    "builtins.hash": "__hash__",
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
        ),
        "__iter__",
    ),
}
"""Builtin functions that are a method of their first argument."""


def call(frame: Frame, node: ast.AST, receiver: Kind, method: str, args: Sequence[Kind] = ()) -> None:
    """Report that syntax calls a method of a container or of an object from outside.

    Numbers and text are left out, and tensors, whose operators are operators of torch; a method that the project
    itself defines is walked instead.
    """
    for option in kinds.options(receiver):
        if not _is_object(frame, option, method):
            continue
        name = f"{attributes.class_name(frame.inspector, option)}.{method}"
        frame.emit(
            "operator",
            node,
            callee=name,
            receiver=option,
            args=args,
            confidence=calls.confidence_of(receiver, option),
        )


def _is_object(frame: Frame, kind: Kind, method: str) -> bool:
    match kind:
        case kinds.Sequence() | kinds.Dictionary():
            return True
        case kinds.External():
            return not kind.cls.startswith("torch.nn.")
        case kinds.Instance(module=False):
            return bool(classes.external_bases(frame.inspector, kind.cls)) and (
                classes.find_method(frame.inspector, kind.cls, method) is None
            )
        case _:
            return False


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
