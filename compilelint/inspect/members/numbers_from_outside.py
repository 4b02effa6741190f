"""Whole numbers that a file sets on objects whose classes do not have them: `net.calls = 0`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind, ProjectClass
from compilelint.source.index import flat_statements
from compilelint.source.model import ModuleIndex
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def number_of(inspector: Inspector, cls: ProjectClass, name: str) -> Kind:
    """What the file of a class sets on its objects, which have it from nowhere else."""
    module = inspector.tree.module(cls.key[0])
    return numbers(inspector, module).get(name, UNKNOWN) if module is not None else UNKNOWN


def numbers(inspector: Inspector, module: ModuleIndex) -> Mapping[str, Kind]:
    """The attributes, by name, to which a file gives nothing but whole numbers, of whatever object."""
    return inspector.derived(("numbers from outside", module.name), lambda: dict(_numbers(module)))


def _numbers(module: ModuleIndex) -> Iterator[tuple[str, Kind]]:
    found: dict[str, list[ast.expr]] = {}
    for name, value in _assignments(module):
        found.setdefault(name, []).append(value)
    for name, values in found.items():
        if all(isinstance(each, ast.Constant) and type(each.value) is int for each in values):
            yield name, kinds.INT


def _assignments(module: ModuleIndex) -> Iterator[tuple[str, ast.expr]]:
    bodies = [module.tree.body]
    for function in module.functions.values():
        if not isinstance(function.node, ast.Lambda) and stores(function.node):
            bodies.append(function.node.body)
    for statement in (each for body in bodies for each in flat_statements(body)):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute):
                    yield target.attr, statement.value
