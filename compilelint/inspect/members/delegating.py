"""What a `__getattr__` hands on to what the object is around: `return getattr(self.model, name)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Instance, Kind
from compilelint.inspect.members import attributes, classes
from compilelint.source.model import FunctionNode
from compilelint.source.nodes import positional_names, walk

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def delegated(inspector: Inspector, base: Instance, name: str) -> Kind:
    """What an object that has no such attribute itself finds in what it holds, if its class looks there."""
    key = classes.find_method(inspector, base.cls, "__getattr__")
    method = inspector.tree.function(key) if key is not None else None
    if method is None or name.startswith("__"):
        return UNKNOWN
    held = inspector.assigned(base)
    objects = (held.get(inner) for inner in _asked(method.node))
    found = (attributes.attribute(inspector, each, name) for each in objects if isinstance(each, _LOOKED_INTO))
    return next((kind for kind in found if kind != UNKNOWN), UNKNOWN)


_LOOKED_INTO = (kinds.Instance, kinds.External)


def _asked(node: FunctionNode) -> Iterator[str]:
    """The attributes of the object of which a method returns an attribute by the name that it is given."""
    match positional_names(node.args):
        case [own, asked]:
            pass
        case _:
            return
    for part in walk(node):
        match part:
            case ast.Return(
                value=ast.Call(
                    func=ast.Name(id="getattr"),
                    args=[ast.Attribute(value=ast.Name(id=holder), attr=inner), ast.Name(id=name), *_],
                )
            ) if holder == own and name == asked:
                yield inner
