"""The files that use what a file defines: it itself, and those of the project that import it and call it by name."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator

from compilelint.inspect.inspector import Inspector
from compilelint.regions.around.scopes import Scope, expects_error, scopes
from compilelint.source.model import Key, ModuleIndex

_MOST = 12
"""What more files than this use is a library's: their calls tell little of what a program does with it."""


def users(inspector: Inspector, file: str, names: Collection[str]) -> Iterator[ModuleIndex]:
    """The file first, then those that call one of these names of it."""
    asked = frozenset(names)
    calling = inspector.derived(("users", file, asked), lambda: _calling(inspector, file, asked))
    for each in (file, *calling) if len(calling) <= _MOST else (file,):
        module = inspector.tree.module(each)
        if module is not None:
            yield module


def calls_by_name(inspector: Inspector, file: str, name: str) -> Iterator[tuple[Scope, ast.Call]]:
    """The calls, in these files, of what is spelled like something that the file defines; not those that must fail."""
    for module in users(inspector, file, (name,)):
        if not _calls(inspector, module.name, (name,)):
            continue
        for scope in scopes(inspector, module, saying=f"{name}("):
            for statement, call in scope.calls:
                if _is_named(call.func, name) and not expects_error(statement):
                    yield scope, call


def calls_of_objects(inspector: Inspector, file: str, method: Key) -> Iterator[tuple[Scope, ast.Call]]:
    """The calls, in the files that make objects of the class that a method belongs to, of anything that may be one."""
    info = inspector.tree.function(method)
    owner = inspector.tree.class_(info.owner) if info is not None and info.owner is not None else None
    for module in users(inspector, file, (owner.name,)) if owner is not None else ():
        for scope in scopes(inspector, module):
            for statement, call in scope.calls:
                if isinstance(call.func, ast.Name | ast.Attribute) and not expects_error(statement):
                    yield scope, call


def _is_named(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Name(id=called) | ast.Attribute(attr=called):
            return called == name
        case _:
            return False


def _calling(inspector: Inspector, file: str, names: frozenset[str]) -> tuple[str, ...]:
    tree = inspector.tree
    others = (each for each in sorted(tree.importers(file)) if each != file and _calls(inspector, each, names))
    return tuple(itertools.islice(others, _MOST + 1))


def _calls(inspector: Inspector, file: str, names: Collection[str]) -> bool:
    text = inspector.tree.text(file)
    return text is not None and any(f"{name}(" in text.text for name in names)
