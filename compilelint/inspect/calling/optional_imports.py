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
from compilelint.source.index import flat_statements, statement_bindings
from compilelint.source.model import Import, ModuleIndex

_ASKS_FOR_LIBRARY = re.compile(r"^_?(is|has)_\w+_(available|installed)$")


def is_optional(frame: Frame, node: ast.AST) -> bool:
    """Whether a call in a followed package is of such a function, by the name that it was imported under."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if frame.inspector.tree.is_followed(frame.module.name):
            module = frame.module
            names = frame.inspector.derived(("optional imports", module.name), lambda: frozenset(_optional(module)))
            return name in names
        case _:
            return False


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
