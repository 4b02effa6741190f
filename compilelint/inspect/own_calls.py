"""Calls of the project's own functions and classes: events, too, since a project's own rules may name them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame

if TYPE_CHECKING:
    from compilelint.inspect.calls import Call


def emit(frame: Frame, callee: kinds.Function | kinds.ProjectClass, call: Call) -> None:
    """Report a call under the name by which other files import what is called (`package.module.Class.method`).

    It is entered all the same. What Python calls by itself (an operator's method) is spelled nowhere.
    """
    tree, module = frame.inspector.tree, frame.inspector.tree.module(callee.key[0])
    if module is None or frame.inspector.silent or not isinstance(call.node, ast.Call):
        return
    bound = isinstance(callee, kinds.Function)
    info = tree.function(callee.key) if bound else tree.class_(callee.key)
    frame.emit(
        "call",
        call.node,
        callee=f"{module.dotted}.{info.qualname if info is not None else callee.name}",
        receiver=callee.receiver if isinstance(callee, kinds.Function) else None,
        args=call.args,
        keywords=call.keywords,
        starred=call.open_ended,
    )
