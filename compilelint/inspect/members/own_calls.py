"""What a method calls on `self`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.source.nodes import walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import FunctionInfo


def called_on_self(inspector: Inspector, method: FunctionInfo) -> tuple[str, ...]:
    """The names of what a method calls on its object, in order: found once for each method."""
    return inspector.derived(("called on self", method.key), lambda: tuple(_called(method)))


def _called(method: FunctionInfo) -> dict[str, None]:
    own = first_parameter(method.node)
    found: dict[str, None] = {}
    for node in walk(method.node):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=receiver), attr=name)) if receiver == own:
                found[name] = None
    return found
