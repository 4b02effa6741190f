"""What the file of a class makes its objects with: a model's file makes the model's parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.kinds import ProjectClass
from compilelint.source.model import FunctionInfo
from compilelint.source.nodes import parameter_of, positional_names, walk
from compilelint.source.watched import says

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def given_in_file(
    inspector: Inspector, cls: ProjectClass, init: FunctionInfo, parameter: str
) -> tuple[tuple[FunctionInfo, ast.expr], ...]:
    """What each `__init__` of its file that makes an object of a class gives a parameter of the class's own `__init__`.

    Empty if nothing makes one there, or if one gives it what cannot be told.
    """
    found = [(maker, _given(call, init, parameter)) for maker, call in _makings(inspector, cls)]
    told = tuple((maker, value) for maker, value in found if value is not None)
    return told if len(told) == len(found) else ()


def is_made_in_file(inspector: Inspector, cls: ProjectClass) -> bool:
    """Whether an `__init__` of its file makes an object of a class: a part of what the file defines."""
    return bool(_makings(inspector, cls))


def _given(call: ast.Call, init: FunctionInfo, parameter: str) -> ast.expr | None:
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    names = positional_names(init.node.args)[1:]
    values = (*call.args, *(keyword.value for keyword in call.keywords))
    return next((each for each in values if parameter_of(call, names, each) == parameter), None)


def _makings(inspector: Inspector, cls: ProjectClass) -> tuple[tuple[FunctionInfo, ast.Call], ...]:
    return inspector.derived(("made in its file", cls.key), lambda: tuple(_found_makings(inspector, cls)))


def _found_makings(inspector: Inspector, cls: ProjectClass) -> Iterator[tuple[FunctionInfo, ast.Call]]:
    module = inspector.tree.module(cls.key[0])
    info = inspector.tree.class_(cls.key)
    if module is None or info is None:
        return
    for maker in module.functions.values():
        if (
            maker.owner is None
            or not maker.qualname.endswith(".__init__")
            or not says(maker.node, module.lines, f"{info.name}(")
        ):
            continue
        for part in walk(maker.node):
            match part:
                case ast.Call(func=ast.Name(id=name)) if name == info.name:
                    yield maker, part
