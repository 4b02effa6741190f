"""Code under an `inference_mode` that compiled code enters itself: it may make no view there of what is outside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.calling.function_decorators import compiling_options
from compilelint.inspect.frame import Frame, Route

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import FunctionInfo, ModuleIndex

_MODE = "torch.inference_mode"


def enters(frame: Frame, callee: str, manager: ast.expr) -> bool:
    """Whether a context manager is an `inference_mode` that is not switched off: `inference_mode(False)` is."""
    if callee != _MODE or not isinstance(manager, ast.Call):
        return False
    return all(frame.inspector.peek(frame, each) == kinds.Const(True) for each in _given(manager))


def is_decorated(inspector: Inspector, module: ModuleIndex, info: FunctionInfo) -> bool:
    """Whether a function enters it as a decorator says, in what is compiled of it: what stands above a decorator that
    compiles runs around the compiled code."""
    for node in reversed(info.decorators):
        if compiling_options(inspector.evaluate_globally(module, node)) is not None:
            return False
        target, given = (node.func, _given(node)) if isinstance(node, ast.Call) else (node, [])
        if inspector.evaluate_globally(module, target) == kinds.Reference(_MODE):
            return all(isinstance(each, ast.Constant) and each.value is True for each in given)
    return False


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def inside(route: Route) -> Route:
    """How what is inside of it is reached."""
    return replace(route, mode=replace(route.mode, inference=True))
