"""What others give to an attribute that a class only begins with None: `block.attention.cache = KVCache(length)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.inspect.kinds import Instance, Kind, ProjectClass
from compilelint.inspect.syntax import expressions
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo, ModuleIndex
from compilelint.source.nodes import is_none
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def given(inspector: Inspector, cls: ProjectClass, name: str) -> Kind:
    """The object of a class of the project that a function of the same file gives to `name` of another object.

    None where nobody does, and where more classes of the file begin the attribute with None: whose it is that is set,
    nobody knows.
    """
    module = inspector.tree.module(cls.key[0])
    if module is None:
        return kinds.NONE
    values = inspector.derived(("set from outside", module.name), lambda: _set_from_outside(module)).get(name, ())
    if not values or len(list(_classes_without(module, name))) > 1:
        return kinds.NONE
    frame = inspector.module_frame(module)
    made = [expressions.evaluate(frame, value) for value in values]
    return kinds.join(*made) if all(isinstance(each, Instance) for each in made) else kinds.NONE


def _set_from_outside(module: ModuleIndex) -> dict[str, tuple[ast.Call, ...]]:
    """What calls give to attributes of other objects than `self`, by the name of the attribute. No `__init__` is
    looked into: it makes what it holds, and sets it up later."""
    found: dict[str, tuple[ast.Call, ...]] = {}
    for function in module.functions.values():
        for name, value in _assignments(function):
            found[name] = (*found.get(name, ()), value)
    return found


def _assignments(function: FunctionInfo) -> Iterator[tuple[str, ast.Call]]:
    node = function.node
    if isinstance(node, ast.Lambda) or node.name == "__init__" or not stores(node):
        return
    own = first_parameter(node) if function.owner is not None else None
    for statement in flat_statements(node.body):
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=ast.Call() as value):
                if not (isinstance(owner, ast.Name) and owner.id == own):
                    yield name, value


def _classes_without(module: ModuleIndex, name: str) -> Iterator[str]:
    """The classes of a file that begin an attribute with None."""
    for info in module.classes.values():
        init = module.functions.get(info.methods["__init__"]) if "__init__" in info.methods else None
        if init is not None and _begins_with_none(init, name):
            yield info.name


def _begins_with_none(init: FunctionInfo, name: str) -> bool:
    own = first_parameter(init.node)
    if isinstance(init.node, ast.Lambda) or not stores(init.node):
        return False
    return any(
        is_none(statement.value)
        and any(
            isinstance(target, ast.Attribute)
            and target.attr == name
            and isinstance(target.value, ast.Name)
            and target.value.id == own
            for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        )
        for statement in flat_statements(init.node.body)
        if isinstance(statement, ast.Assign | ast.AnnAssign)
    )
