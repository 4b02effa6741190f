"""What runs when an attribute is assigned: the setter of a property, the `__set__` of a descriptor, a `__setattr__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.calling import calls
from compilelint.inspect.frame import Frame
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.members import attributes, classes

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector
    from compilelint.source.model import FunctionInfo, Key, ModuleIndex


def run_setter(frame: Frame, statement: ast.stmt, owner: Instance, name: str, value: Kind) -> None:
    """Walk what the project has run for `owner.name = value`; most classes have nothing.

    A `__setattr__` next to one of a base outside, as modules have, is left out: most of what it sets goes there.
    """
    inspector = frame.inspector
    setter = inspector.derived(("setter", owner.cls.key, name), lambda: _setter(inspector, owner.cls, name))
    if setter is not None:
        function = kinds.Function(setter.key, setter.qualname, owner)
        calls.call_kind(frame, function, calls.Call(statement, (value,)))
    elif _has_own_way(inspector, owner.cls):
        calls.call_method(frame, owner, "__setattr__", (kinds.Const(name), value))
    elif isinstance(held := attributes.class_attribute(inspector, owner.cls, name), Instance):
        calls.call_method(frame, held, "__set__", (owner, value))


def setters(module: ModuleIndex, owner: Key | None) -> Iterator[FunctionInfo]:
    """What runs when a property of a class is assigned: no method by its name, which is that of what reads it."""
    for function in module.functions.values():
        if function.owner == owner and any(
            isinstance(decorator, ast.Attribute) and decorator.attr == "setter" for decorator in function.decorators
        ):
            yield function


def _has_own_way(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether there is a `__setattr__` in the class or its bases, and all of them stand in the project."""
    is_there = classes.find_method(inspector, cls, "__setattr__") is not None
    return is_there and all(isinstance(base, ProjectClass) for base in classes.mro(inspector, cls))


def _setter(inspector: Inspector, cls: ProjectClass, name: str) -> FunctionInfo | None:
    """What `@name.setter` decorates, next to the property of this name."""
    key = classes.find_method(inspector, cls, name)
    getter = inspector.tree.function(key) if key is not None else None
    module = inspector.tree.module(key[0]) if key is not None else None
    if getter is None or module is None or not getter.decorators:
        return None
    found = setters(module, getter.owner)
    return next((each for each in found if each.qualname.rpartition(".")[2] == name), None)
