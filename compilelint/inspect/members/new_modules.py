"""Modules that a region makes: Dynamo traces their `__init__`, or compiles it by itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect.calling import calls
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Function, Instance
from compilelint.inspect.members import attributes, classes

if TYPE_CHECKING:
    from compilelint.inspect.calling.calls import Call


def initialise(frame: Frame, module: Instance, call: Call) -> None:
    """Walk the `__init__` of a module that is made here.

    Where the frame around was given up, or `__init__` itself breaks, Python runs it, and Dynamo compiles it as a frame
    of its own, in which the module is not initialised yet: it breaks where nn.Module's `__init__` is called.
    """
    inspector = frame.inspector
    key = classes.find_method(inspector, module.cls, "__init__")
    if key is None:
        return
    bound = attributes.bound_method(inspector, key, module)
    before = inspector.breaks
    calls.call_kind(frame, bound, call)
    if isinstance(bound, Function) and (frame.given_up or inspector.breaks > before):
        _report_start(frame, bound)


def _report_start(frame: Frame, init: Function) -> None:
    inspector = frame.inspector
    info, module = inspector.tree.function(init.key), inspector.tree.module(init.key[0])
    if info is None or module is None or isinstance(info.node, ast.Lambda):
        return
    start = next((call for statement in info.node.body if (call := _super_init(statement)) is not None), None)
    if start is None:
        return
    steps = (*frame.route.steps, frame.qualname)
    route = replace(frame.route, steps=steps, ceiling=min(frame.ceiling, frame.route.ceiling))
    own = Frame(inspector, module, info, route, receiver=init.receiver, owner=info.owner)
    own.emit("call", start, callee="torch.nn.Module.__init__", construct="own-frame")
    inherited = _inherited(own)
    if inherited is not None:
        _report_start(own, inherited)


def _super_init(statement: ast.stmt) -> ast.Call | None:
    match statement:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")) as start
        ):
            return start
        case _:
            return None


def _inherited(init: Frame) -> Function | None:
    """The `__init__` of the project that `super().__init__()` means in this one: of it Python makes the next frame."""
    receiver = init.receiver_instance
    if receiver is None or init.owner is None:
        return None
    key = classes.find_method(init.inspector, receiver.cls, "__init__", after=init.owner)
    if key is None:
        return None
    bound = attributes.bound_method(init.inspector, key, receiver)
    return bound if isinstance(bound, Function) else None


def is_of_new_module(frame: Frame) -> bool:
    """Whether the frame is the `__init__` of a module that the region makes."""
    receiver = frame.receiver_instance
    return receiver is not None and receiver.module and receiver.fresh and frame.qualname.endswith(".__init__")
