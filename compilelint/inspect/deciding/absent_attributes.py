"""Conditions that hold only where somebody outside of the project gives an object an attribute that nobody sets in it:
`hasattr(self, "hook")`, `getattr(self, "debug", False)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.importing_files import few_importers
from compilelint.inspect.kinds import Instance, ProjectClass
from compilelint.inspect.members import classes
from compilelint.inspect.members.never_set import is_never_set

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame


def is_for_absent(frame: Frame, test: ast.expr, outcome: bool) -> bool:
    """Whether a condition has this outcome only where `self` has an attribute that nobody in the project gives it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_for_absent(frame, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            return any(is_for_absent(frame, value, True) for value in values)
        case ast.BoolOp(op=ast.Or(), values=values) if not outcome:
            return any(is_for_absent(frame, value, False) for value in values)
        case ast.Compare(left=ast.Call() as asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return outcome and _default(asked) == "None" and _is_of_absent(frame, asked)
        case ast.Compare(left=ast.Call() as asked, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return not outcome and _default(asked) == "None" and _is_of_absent(frame, asked)
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, _], keywords=[]):
            return outcome and _is_of_absent(frame, test)
        case ast.Call(func=ast.Name(id="getattr")):
            default = _default(test)
            return default is not None and outcome is (default != "True") and _is_of_absent(frame, test)
        case _:
            return False


def _default(call: ast.Call) -> str | None:
    """What `getattr` gives for what is not there, as it is spelled, if that is one of these three."""
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, ast.Constant(value=None | True | False as value)]):
            return str(value)
        case _:
            return None


def _is_of_absent(frame: Frame, call: ast.Call) -> bool:
    receiver = frame.receiver_instance
    match call.args:
        case [ast.Name(id=owner), ast.Constant(value=str(name)), *_] if receiver is not None and frame.function:
            is_own = owner == first_parameter(frame.function.node) and f"{owner}.{name}" not in frame.env
            return is_own and _has_few_users(frame, receiver) and is_never_set(frame.inspector, receiver, name)
        case _:
            return False


def _has_few_users(frame: Frame, receiver: Instance) -> bool:
    """Whether few files import those of a class and of its bases: what is found out rests on all of them."""
    inspector = frame.inspector
    files = {base.key[0] for base in classes.mro(inspector, receiver.cls) if isinstance(base, ProjectClass)}
    return all(few_importers(inspector.tree, file) is not None for file in files)
