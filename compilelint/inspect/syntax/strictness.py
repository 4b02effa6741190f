"""Code in which a break is an error: `torch._dynamo.error_on_graph_break`, as a block or around a function."""

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

SWITCH = "torch._dynamo.error_on_graph_break"


def inside(frame: Frame, callee: str, manager: ast.expr) -> Route:
    """How what is inside of a context manager is reached."""
    strict = _switched(manager) if callee == SWITCH else None
    return frame.route if strict is None else _with(frame.route, strict)


def as_decorated(inspector: Inspector, module: ModuleIndex, info: FunctionInfo, route: Route) -> Route:
    """How a function's body is reached, as its decorators say; what stands above a decorator that compiles runs around
    the compiled code, which breaks, or must not break, all the same."""
    for node in reversed(info.decorators):
        if isinstance(node, ast.Call) and compiling_options(inspector.evaluate_globally(module, node)) is None:
            strict = _switched(node)
            if strict is not None and inspector.evaluate_globally(module, node.func) == kinds.Reference(SWITCH):
                return _with(route, strict)
    return route


def _switched(node: ast.expr) -> bool | None:
    match node:
        case ast.Call(args=[ast.Constant(value=bool(strict))], keywords=[]):
            return strict
        case _:
            return None


def _with(route: Route, strict: bool) -> Route:
    return replace(route, mode=replace(route.mode, strict=strict))
