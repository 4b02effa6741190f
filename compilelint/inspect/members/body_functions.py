"""Functions that a class body names: `activation = staticmethod(gelu)`, `forward = shared_forward`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members import classes

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import Assignment


def static_in(binding: Assignment) -> ast.expr | None:
    """What `name = staticmethod(value)` makes static; None for all that is written otherwise."""
    match binding.value:
        case ast.Call(func=ast.Name(id="staticmethod"), args=[function]):
            return function
        case _:
            return None


def bound(inspector: Inspector, base: Instance, name: str, declared: Kind) -> Kind:
    """What an object has by a name to which the body of its class assigns a function: a method, unless it is static."""
    if not isinstance(declared, kinds.Function) or declared.receiver is not None:
        return declared
    is_method = binding_of(inspector, base.cls, name) is not None and not is_static(inspector, base.cls, name)
    return replace(declared, receiver=base) if is_method else declared


def is_static(inspector: Inspector, cls: ProjectClass, name: str) -> bool:
    """Whether the body of a class makes static what it assigns to a name."""
    found = binding_of(inspector, cls, name)
    return found is not None and static_in(found[1]) is not None


def binding_of(inspector: Inspector, cls: ProjectClass, name: str) -> tuple[str, Assignment] | None:
    """What the body of a class, or of the first base that has the name, assigns to it, and in which file."""
    for each in classes.lineage(inspector, cls).own:
        info = inspector.tree.class_(each.key) if name in each.attributes else None
        if info is not None:
            return each.key[0], info.attributes[name]
    return None
