"""The attributes that conditions of a class ask for: `if self.mode == "sum":`, `for _ in range(self.depth):`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def asked_of(inspector: Inspector, cls: ProjectClass) -> frozenset[str]:
    """The names of the attributes of `self` for which conditions ask in a class's methods, its own or inherited."""
    return inspector.derived(
        ("attributes asked for", cls.key),
        lambda: frozenset(name for method in classes.methods(inspector, cls) for name in _asked_in(method)),
    )


def _asked_in(method: FunctionInfo) -> Iterator[str]:
    own = first_parameter(method.node)
    for condition in conditions(method.node):
        for part in walk(condition):
            match part:
                case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder == own:
                    yield name


def conditions(node: ast.AST) -> Iterator[ast.expr]:
    """What decides which way is taken, and how often."""
    for part in walk(node):
        match part:
            case ast.If(test=asked) | ast.IfExp(test=asked) | ast.While(test=asked) | ast.Match(subject=asked):
                yield asked
            case ast.BoolOp(values=values):
                yield from values[:-1]
            case ast.comprehension(ifs=asked_of_each):
                yield from asked_of_each
            case ast.Call(func=ast.Name(id="range"), args=args):
                yield from args
