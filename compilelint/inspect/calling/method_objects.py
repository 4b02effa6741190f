"""`types.MethodType(function, object)`: a function that is made a method of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Function, Instance, Kind

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call

METHOD_TYPE = "types.MethodType"


def make(frame: Frame, call: Call) -> Kind | None:
    """What it gives, as far as it is known what both are. Inside of a region Dynamo has no model of it."""
    match call.args:
        case (Function(receiver=None) as function, Instance() as owner):
            frame.emit("call", call.node, callee=METHOD_TYPE, args=call.args)
            return Function(function.key, function.name, owner, function.closure, function.wrapper)
        case _:
            return None
