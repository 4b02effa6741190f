"""Assignments whose value nobody asks for: where nobody listens, it need not be found out.

`self.config.mode = self._adjusted(self.config)` in an `__init__` says nothing of the instances' own attributes, unless
the function reads `….mode` again. What it calls may be the dearest part of the walk.
"""

from __future__ import annotations

import ast

from compilelint.inspect.frame import Frame
from compilelint.inspect.lasting.growth import GROW
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk


def is_idle_store(frame: Frame, node: ast.Assign) -> bool:
    """Whether nothing that is looked for depends on what a statement assigns."""
    inspector, function = frame.inspector, frame.function
    if function is None or not inspector.silent or inspector.seeks_effects:
        return False
    match node.targets:
        case [ast.Attribute(value=ast.Attribute(), attr=name)]:
            place = (node.lineno, node.col_offset)
            return inspector.derived(("idle", function.key, place), lambda: _is_idle(function, name, node.value))
        case _:
            return False


def _is_idle(function: FunctionInfo, name: str, value: ast.expr) -> bool:
    if not any(isinstance(part, ast.Call) for part in walk(value)) or any(map(_changes_names, walk(value))):
        return False
    return not any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Load)
        for part in walk(function.node)
    )


def _changes_names(node: ast.AST) -> bool:
    """Whether evaluating it may change what a name of the function stands for."""
    match node:
        case ast.NamedExpr() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return True
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in GROW
        case _:
            return False
