"""What `assert` asserts: a number, text or None is decided while tracing, all else becomes an operator of the graph."""

from __future__ import annotations

import ast

from compilelint.inspect import kinds
from compilelint.inspect.deciding.narrowing import narrow
from compilelint.inspect.deciding.truth import decide, truth
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.members import classes
from compilelint.inspect.syntax.expressions import evaluate
from compilelint.report.confidence import Confidence

_OBJECTS_OF_TORCH = ("torch.nn.", "torch.distributions.", "torch.optim.")
_PLAIN_BASES = frozenset({"abc.ABC", "typing.Generic", "typing.Protocol", "builtins.object"})
"""Bases outside the project that leave an object as it is, unlike numbers, text, enumerations and named tuples."""


def walk_assert(frame: Frame, node: ast.Assert) -> None:
    """Walk an `assert`: after it, its condition holds."""
    message: tuple[Kind, ...] = ()
    if node.msg is not None:
        with frame.at_most(Confidence.LOW):
            kind = evaluate(frame, node.msg)
        # Only what is written here is a constant to Dynamo, not what a name stands for (2.13).
        message = (kinds.widen(kind) if isinstance(node.msg, ast.Name | ast.Attribute) else kind,)
    _truth(frame, node.test, message)
    narrow(frame, node.test, True)


def _truth(frame: Frame, test: ast.expr, message: tuple[Kind, ...]) -> None:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        # Only the last one is what the assert asserts; those before it decide whether to go on.
        for part in test.values[:-1]:
            truth(frame, part, "assert-part")
        _truth(frame, test.values[-1], message)
        return
    if isinstance(test, ast.BoolOp | ast.UnaryOp):
        truth(frame, test, "assert-part")
        return
    kind = evaluate(frame, test)
    decide(frame, test, kind, "assert", message)
    held = kinds.tensor_part(_held(kind))
    if held is not None:
        frame.emit("branch", test, construct="assert-of-tensors", receiver=kind, confidence=held.confidence)
    elif (sure := _sureness_of_object(frame, kind)) is not None:
        frame.emit("branch", test, construct="assert-of-objects", receiver=kind, confidence=sure)


def _held(kind: Kind) -> Kind:
    """What a list, a tuple or a dict holds; of all else, what is not known."""
    match kind:
        case kinds.Sequence() if kind.items != ():
            return kinds.element(kind)
        case kinds.Dictionary():
            return kinds.any_value(kind)
        case _:
            return UNKNOWN


def _sureness_of_object(frame: Frame, kind: Kind) -> Confidence | None:
    """How sure it is that a value is an object of a class of one's own, or a list or dict that holds one."""
    # What is None fails the assertion: nothing is compiled of it.
    options = [option for option in kinds.options(kind) if option != kinds.NONE]
    objects = [option for option in options if _is_object(frame, option)]
    if not objects:
        return None
    return Confidence.HIGH if len(objects) == len(options) else Confidence.MEDIUM


def _is_object(frame: Frame, kind: Kind) -> bool:
    match kind:
        case kinds.Instance(module=True):
            return True
        case kinds.External(cls=cls):
            return cls.startswith(_OBJECTS_OF_TORCH)
        case kinds.Instance(cls=cls):
            return all(
                isinstance(base, kinds.ProjectClass)
                or (isinstance(base, kinds.Reference) and base.name in _PLAIN_BASES)
                for base in classes.mro(frame.inspector, cls)
            )
        case kinds.Sequence() | kinds.Dictionary():
            held = [option for option in kinds.options(_held(kind)) if option != kinds.NONE]
            return bool(held) and all(
                not isinstance(o, kinds.Sequence | kinds.Dictionary) and _is_object(frame, o) for o in held
            )
        case _:
            return False
