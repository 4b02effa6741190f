"""Methods of objects that a function itself has made: a break in one drops that function.

To go on after a break Dynamo puts what was about to be called on the stack. Of an object that was made since the
function began, or since the last break, it knows no source, and cannot make its bound method again (2.13). What
is called without one can be: the object itself, its class (`Shape.area(shape)`), a module.
"""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes

_STATIC = "builtins.staticmethod"
IN_METHOD = "in a method of an object that is made in the same function"
_AS_USUAL = nullcontext()


def note_made(frame: Frame, made: kinds.Instance, breaks: int) -> None:
    """Remember an object that a call has made, unless the graph broke on the way: then it is an input of the next one.

    `breaks` is their number before the call.
    """
    if not made.fresh or made.module:
        return
    if frame.inspector.breaks == breaks:
        frame.made[made] = breaks
    else:
        frame.made.pop(made, None)


def around(frame: Frame, callee: kinds.Function, call: ast.AST) -> AbstractContextManager[None]:
    """Walk what is called: if that is a method of such an object, breaks in it drop the caller."""
    return frame.aggravated(IN_METHOD) if frame.made and _is_of_new_object(frame, callee, call) else _AS_USUAL


def _is_of_new_object(frame: Frame, callee: kinds.Function, call: ast.AST) -> bool:
    receiver = _asked(frame, callee, call)
    if not isinstance(receiver, kinds.Instance) or frame.made.get(receiver) != frame.inspector.breaks:
        return False
    is_special = callee.name.rpartition(".")[2].startswith("__")  # the class finds it, when the object is called
    return not is_special and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name)


def _asked(frame: Frame, callee: kinds.Function, call: ast.AST) -> Kind | None:
    """The object that was asked for what is called: a static method does not keep it."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if callee.receiver is None:
            is_static = _STATIC in classes.decorator_names(frame.inspector, callee.key)
            return frame.env.get(name) if is_static else None
        case _:
            return callee.receiver
