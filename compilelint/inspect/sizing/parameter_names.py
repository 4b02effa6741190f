"""Names of parameters, buffers and gradients, which are as large in each call, as what modules hold is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.source.nodes import walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.frame import Frame
    from compilelint.source.model import FunctionInfo, ModuleIndex

_GIVES_PARAMETERS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers"})
_WORDS = ("parameters(", "buffers(", "params")
"""One of these stands in each function that gives names to parameters."""
_SAME_SIZE = frozenset({"grad", "data"})


def names(frame: Frame) -> frozenset[str]:
    """The names that the function which is walked gives to parameters: found once for each function."""
    function = frame.function
    if function is None:
        return frozenset()
    return frame.inspector.derived(("names of parameters", function.key), lambda: _names(frame.module, function))


def _names(module: ModuleIndex, function: FunctionInfo) -> frozenset[str]:
    may_bind = any(says(function.node, module.lines, word) for word in _WORDS)
    return spelled(function.node) if may_bind else frozenset()


def spelled(function: ast.AST) -> frozenset[str]:
    """The names that loops over `parameters()` or `group["params"]` bind, and those of their gradients and data."""
    found: set[str] = set()
    for part in walk(function):
        match part:
            case ast.For(target=target, iter=iterable) | ast.comprehension(target=target, iter=iterable):
                if any(map(_gives_parameters, walk(iterable))):
                    found.update(_bound(target))
    for part in walk(function):
        match part:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Attribute(value=ast.Name(id=owner), attr=attribute)
            ) if attribute in _SAME_SIZE and owner in found:
                found.add(name)
    return frozenset(found)


def _gives_parameters(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _GIVES_PARAMETERS
        case ast.Subscript(slice=ast.Constant(value="params")):
            return True
        case _:
            return False


def _bound(target: ast.expr) -> Iterator[str]:
    return (part.id for part in walk(target) if isinstance(part, ast.Name))
