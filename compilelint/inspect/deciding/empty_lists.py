"""Lists that a function makes with nothing in them, and that may have been filled where nobody follows them:
`fill(found)`, `hooks = found`, an inner function that appends to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.inspect.frame import Frame
from compilelint.source.nodes import walk

_ONLY_LOOK = frozenset({"len", "bool", "print"})


def may_be_filled(frame: Frame, node: ast.expr) -> bool:
    """Whether a list, which was empty when it was made, may have something in it where a function asks: what its own
    methods add, called on this name, a walk sees, and nothing else."""
    if not isinstance(node, ast.Name) or frame.function is None:
        return False
    function = frame.function
    handed_on = frame.inspector.derived(("lists handed on", function.key), lambda: _first_lines(function.node))
    return handed_on.get(node.id, node.lineno) < node.lineno


def _first_lines(function: ast.AST) -> dict[str, int]:
    """From which line on others may have each local: a loop hands it on for its next round."""
    found: dict[str, int] = {}
    for name, line in _handed_on(function, None):
        found[name] = min(line, found.get(name, line))
    return found


def _handed_on(node: ast.AST, loop: int | None) -> Iterator[tuple[str, int]]:
    for child in ast.iter_child_nodes(node):
        line = loop if loop is not None else getattr(child, "lineno", 0)
        match child:
            case ast.Name(id=name, ctx=ast.Load()) if not _only_looks(node, child):
                yield name, line
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from ((part.id, line) for part in walk(child) if isinstance(part, ast.Name))
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from _handed_on(child, line)
            case _:
                yield from _handed_on(child, loop)


def _only_looks(node: ast.AST, name: ast.Name) -> bool:
    """Whether what stands around a name neither keeps nor changes what it stands for, or does so by its methods."""
    match node:
        case ast.Call(func=func, args=args):
            return name not in args or (isinstance(func, ast.Name) and func.id in _ONLY_LOOK)
        case ast.Attribute() | ast.Subscript() | ast.Compare() | ast.BoolOp() | ast.UnaryOp():
            return True
        case ast.If() | ast.IfExp() | ast.While() | ast.For() | ast.Return():
            return True
        case _:
            return False
