"""What a module was made with: attributes that say the same in each call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.frame import path_of
from compilelint.inspect.kinds import Instance, ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.index import flat_statements
from compilelint.source.model import FunctionInfo
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def is_option(inspector: Inspector, instance: Instance, name: str) -> bool:
    """Whether `self.name` is what `__init__` was given, or an attribute of that, and stays it; or `self.training`."""
    if instance.module and name == "training":
        return True
    values = list(_assigned(inspector, instance.cls, name))
    return bool(values) and all(is_given for is_given in values)


def _assigned(inspector: Inspector, cls: ProjectClass, name: str) -> Iterator[bool]:
    """Of each assignment to the attribute, whether `__init__` hands on what it was given."""
    for method in classes.methods(inspector, cls):
        is_init = method.qualname.endswith(".__init__")
        yield from (is_init and _is_given(method, value) for value in _values(method, name))


def _values(function: FunctionInfo, name: str) -> Iterator[ast.expr | None]:
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return
    for node in flat_statements(function.node.body):
        match node:
            case ast.Assign(targets=targets, value=value):
                written = any(_is_attribute(target, name) for target in targets)
            case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value):
                written = _is_attribute(target, name)
            case _:
                continue
        if written:
            yield value


def _is_attribute(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == name


def _is_given(function: FunctionInfo, value: ast.expr | None) -> bool:
    """Whether this is a parameter, or `config.name` of one."""
    spec = function.node.args
    path = path_of(value) if value is not None else None
    return path is not None and path.partition(".")[0] in {arg.arg for arg in (*spec.args[1:], *spec.kwonlyargs)}
