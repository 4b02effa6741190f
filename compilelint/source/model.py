"""What the index of one module holds: its names, functions and classes, and the nodes they stand for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeAlias

from msgspec import Struct

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Key: TypeAlias = tuple[str, int, int]
"""Name of the file, line and column of a `def`, `lambda` or `class`: what identifies it."""


class Import(Struct, frozen=True):
    """A name bound by an import; `target` is dotted and absolute."""

    target: str
    unless: tuple[str, ...] = ()
    """The dotted names that are imported first: only if one of them is missing is this name bound (`except
    ImportError`)."""


class Definition(Struct, frozen=True):
    """A name bound by `def` or `class`."""

    key: Key
    unless: tuple[str, ...] = ()


class Assignment(Struct, frozen=True):
    """A name bound by `name = value` or `name: annotation`."""

    value: ast.expr | None
    annotation: ast.expr | None = None
    path: tuple[int, ...] = ()
    """Where the name stands in a tuple target: `a, (b, c) = value` binds c at (1, 1)."""
    unless: tuple[str, ...] = ()


Binding: TypeAlias = Import | Definition | Assignment


class FunctionInfo(Struct, frozen=True):
    key: Key
    qualname: str
    node: FunctionNode
    owner: Key | None = None
    """The class in whose body the function is defined."""
    parent: Key | None = None
    """The function in whose body it is defined."""

    @property
    def decorators(self) -> list[ast.expr]:
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


class ClassInfo(Struct, frozen=True):
    key: Key
    qualname: str
    node: ast.ClassDef
    parent: Key | None
    """The function in whose body the class is defined."""
    methods: dict[str, Key]
    attributes: dict[str, Assignment]
    """Names assigned or annotated in the class body."""
    classes: dict[str, Key]
    """Classes defined in the class body."""

    @property
    def name(self) -> str:
        return self.node.name


@dataclass(slots=True)
class ModuleIndex:
    """All that can be said of a module without looking inside its functions."""

    name: str
    """The file, as reports show it."""
    dotted: str
    package: str
    """What relative imports are relative to."""
    tree: ast.Module
    lines: list[str]
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)
    functions: dict[Key, FunctionInfo] = field(default_factory=dict)
    classes: dict[Key, ClassInfo] = field(default_factory=dict)
    lambdas_indexed: set[int] = field(default_factory=set)
    """The lines of which the lambdas are among the functions."""
