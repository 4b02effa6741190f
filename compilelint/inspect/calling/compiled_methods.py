"""Methods that `torch.compile` decorates, where code that is compiled itself calls them.

Dynamo traces into them with the rest. Where they break the graph Python is to make the call, and what it calls then is
the function without its object, which misses an argument, or takes the first one for `self` where the last may be left
out. Seen on torch 2.12.1 to 2.15.0; what `__init__` compiles, `self.step = torch.compile(self.step)`, is a bound method
already, and `module(x)` goes through `nn.Module.__call__`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.calling import compilations, new_objects
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Kind
from compilelint.inspect.members import classes
from compilelint.report.confidence import Confidence

if TYPE_CHECKING:
    from compilelint.inspect.arguments.parameters import Arguments
    from compilelint.inspect.calling.calls import Call

CONSTRUCT = "compiled-method"
_BOUND_OTHERWISE = frozenset({"builtins.staticmethod", "builtins.classmethod", "builtins.property"})


def walk_called(frame: Frame, callee: kinds.Function, call: Call, arguments: Arguments) -> Kind:
    """Walk a function of the project that is called, for what it gives."""
    inspector = frame.inspector
    breaks, since = inspector.breaks, len(inspector.events)
    with new_objects.around(frame, callee, call.node):
        given = frame.settled_since(breaks, inspector.enter(frame, callee, arguments, call.node))
    if inspector.breaks == breaks and len(inspector.events) == since:
        return given
    if _is_compiled_method(frame, callee, call) and (
        inspector.breaks != breaks or any(map(inspector.gives_up, inspector.events[since:]))
    ):
        _emit(frame, callee, call)
    return given


def _is_compiled_method(frame: Frame, callee: kinds.Function, call: Call) -> bool:
    if not frame.is_heard or not isinstance(callee.receiver, kinds.Instance):
        return False
    decorators = classes.decorator_names(frame.inspector, callee.key)
    return (
        compilations.COMPILE in decorators
        and decorators.isdisjoint(_BOUND_OTHERWISE)
        and _is_asked_for(call.node, callee)
    )


def _emit(frame: Frame, callee: kinds.Function, call: Call) -> None:
    """Report such a call.

    Where nobody is seen compiling the caller, nobody may: whoever compiles a method mostly compiles only that.
    """
    sure = Confidence.HIGH if frame.route.ceiling is Confidence.HIGH else Confidence.LOW
    frame.emit(
        "call",
        call.node,
        callee=compilations.COMPILE,
        construct=CONSTRUCT,
        receiver=callee.receiver,
        confidence=sure,
    )


def _is_asked_for(node: ast.AST, callee: kinds.Function) -> bool:
    """Whether the call says the method itself, of an object: `self.norm(x)` calls what `nn.Module` has around
    `forward`, and `super().norm(x)` binds otherwise."""
    match node:
        case ast.Call(func=ast.Name()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() | ast.Subscript(), attr=name)):
            return name == callee.name.rpartition(".")[2]
        case _:
            return False
