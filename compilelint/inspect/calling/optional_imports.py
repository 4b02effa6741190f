"""Functions of a package that a file of it imports only where something else is installed.

`if is_flash_attn_available(): from .flash import flash_forward`: what calls it is there for those who have that and
ask for it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compilelint.inspect.deciding.presence import asks_for_torch
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Function
from compilelint.source.index import flat_statements, statement_bindings
from compilelint.source.model import FunctionNode, Import, ModuleIndex
from compilelint.source.nodes import walk

_ASKS_FOR_LIBRARY = re.compile(r"^_?(is|has)_\w+_(available|installed)$")


def is_optional(frame: Frame, node: ast.AST) -> bool:
    """Whether a call in a followed package is of such a function, by the name that it was imported under."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if frame.inspector.tree.is_followed(frame.module.name):
            return name in _names(frame, frame.module)
        case _:
            return False


def needs_other_library(frame: Frame, function: Function) -> bool:
    """Whether a function calls such a one each time, where the question is whether one root breaks.

    Of several layers of which one needs what is not installed with the package, it is not the usual one.
    """
    inspector, file = frame.inspector, function.key[0]
    if not frame.route.home and not inspector.tree.is_followed(file):
        return False
    module = inspector.tree.module(file)
    names = _names(frame, module) if module is not None else frozenset()
    known = inspector.tree.function(function.key) if names else None
    return known is not None and not names.isdisjoint(_surely_called(known.node))


def _surely_called(function: FunctionNode) -> Iterator[str]:
    """The names that a function calls in statements under no condition."""
    if isinstance(function, ast.Lambda):
        return
    for statement in function.body:
        if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return):
            parts = list(walk(statement))
            if not any(isinstance(part, ast.IfExp | ast.BoolOp | ast.Lambda) for part in parts):
                for part in parts:
                    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                        yield part.func.id


def _names(frame: Frame, module: ModuleIndex) -> frozenset[str]:
    return frame.inspector.derived(("optional imports", module.name), lambda: frozenset(_optional(module)))


def _optional(module: ModuleIndex) -> Iterator[str]:
    for statement in module.tree.body:
        if isinstance(statement, ast.If) and not statement.orelse and _asks_for_library(statement.test):
            for each in flat_statements(statement.body):
                for name, binding in statement_bindings(each, module.name, module.package):
                    if isinstance(binding, Import) and len(module.bindings.get(name, ())) == 1:
                        yield name


def _asks_for_library(test: ast.expr) -> bool:
    match test:
        case ast.Call(func=ast.Name(id=name)):
            return _ASKS_FOR_LIBRARY.search(name) is not None and not asks_for_torch(test, ())
        case _:
            return False
