"""Raising an error: what is done for it happens in programs that end, or are about to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.frame import Frame, Route
from compilelint.report.confidence import Confidence
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

IN_TRY = "inside a `try` block"
_FAILURES = frozenset(
    kinds.Reference(name)
    for name in (
        "builtins.RuntimeError",
        "builtins.MemoryError",
        "builtins.FloatingPointError",
        "torch.OutOfMemoryError",
        "torch.cuda.OutOfMemoryError",
        "torch.linalg.LinAlgError",
        "torch._C._LinAlgError",
    )
)
"""What operators raise for what they are given, or for want of memory."""
_ANYTHING = frozenset((kinds.Reference("builtins.Exception"), kinds.Reference("builtins.BaseException")))


def sureness_of_trouble(frame: Frame) -> Confidence:
    """How sure what is done to raise an error can be."""
    # What is raised, and caught, in any case is no sign of trouble.
    certain = IN_TRY in frame.aggravators and not frame.conditions
    return Confidence.HIGH if certain else Confidence.LOW


def sureness_of_call(caller: Frame, function: kinds.Function) -> Confidence:
    """How sure what a function of the project does can be, where it is called here: one that only raises is trouble."""
    return sureness_of_trouble(caller) if _only_raises(caller.inspector, function) else Confidence.HIGH


def never_returns(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression calls a function of the project by its name that ends by raising, and only so."""
    match node:
        case ast.Call(func=ast.Name() as func):
            called = frame.inspector.peek(frame, func)
            return (
                isinstance(called, kinds.Function)
                and _only_raises(frame.inspector, called)
                and not _is_decorated(frame.inspector, called)
            )
        case _:
            return False


def follows_failure(frame: Frame, node: ast.Try) -> bool:
    """Whether what follows a `try` whose body always leaves is done only after an operator failed.

    `try: return cholesky(x)`, `except RuntimeError: pass`: the other way to compute it is for input that hardly ever
    comes. What a lookup raises (`KeyError`, `AttributeError`) is as usual as what it finds, and so is what the body
    raises itself.
    """
    going_on = [handler for handler in node.handlers if not _leaves(handler.body)]
    raises = any(isinstance(part, ast.Raise) for statement in node.body for part in walk(statement))
    return bool(going_on) and not raises and all(_is_failure(frame, handler.type) for handler in going_on)


def goes_on_after_failure(frame: Frame, node: ast.Try) -> bool:
    """Whether a handler catches what an operator raises, and does something else instead than to raise."""
    return any(
        not isinstance(handler.body[-1], ast.Raise) and (handler.type is None or _catches_failure(frame, handler.type))
        for handler in node.handlers
    )


def _catches_failure(frame: Frame, caught: ast.expr) -> bool:
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(frame.inspector.peek(frame, part) in _FAILURES | _ANYTHING for part in parts)


def caught(route: Route) -> Route:
    """How what is inside of such a `try` is reached."""
    return replace(route, mode=replace(route.mode, caught=True))


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Raise | ast.Return | ast.Break | ast.Continue)


def _is_failure(frame: Frame, caught: ast.expr | None) -> bool:
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return all(part is not None and frame.inspector.peek(frame, part) in _FAILURES for part in parts)


def _is_decorated(inspector: Inspector, function: kinds.Function) -> bool:
    # A decorator may catch the error: then what follows the call is walked all the same.
    info = inspector.tree.function(function.key)
    return info is None or bool(info.decorators)


def _only_raises(inspector: Inspector, function: kinds.Function) -> bool:
    return inspector.derived(("only raises", function.key), lambda: _ends_by_raising(inspector, function))


def _ends_by_raising(inspector: Inspector, function: kinds.Function) -> bool:
    info = inspector.tree.function(function.key)
    if info is None or not isinstance(info.node, ast.FunctionDef):
        return False
    return isinstance(info.node.body[-1], ast.Raise) and not any(
        isinstance(part, ast.Return | ast.Yield | ast.YieldFrom) for part in _own_parts(info.node.body)
    )


def _own_parts(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions that it defines."""
    for statement in body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from walk(statement)
