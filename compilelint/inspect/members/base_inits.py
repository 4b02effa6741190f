"""The `__init__`s of a class and its bases, and what one gives the next: `super().__init__(bias=False)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.kinds import ProjectClass
from compilelint.inspect.members import classes
from compilelint.source.index import flat_statements
from compilelint.source.model import ClassInfo, FunctionInfo, FunctionNode
from compilelint.source.nodes import positional_names

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def made_by(inspector: Inspector, cls: ProjectClass) -> FunctionInfo | None:
    """The `__init__` that a call of a class runs, its own or inherited."""
    key = classes.find_method(inspector, cls, "__init__")
    return inspector.tree.function(key) if key is not None else None


def handed_to(
    inspector: Inspector, cls: ProjectClass, base: ProjectClass, parameter: str
) -> tuple[FunctionInfo, ast.expr] | None:
    """What the nearest `__init__` below that of a base gives one of its parameters, and that `__init__`; None if
    nothing, or nothing that can be told."""
    below, own = init_below(inspector, cls, base), own_init(inspector, inspector.tree.class_(base.key))
    if below is None or own is None:
        return None
    names = positional_names(own.node.args)[1:]
    for call in calls_of_init(below.node):
        by_place = zip(names, call.args, strict=False)
        by_name = ((keyword.arg, keyword.value) for keyword in call.keywords)
        for name, value in (*by_place, *by_name):
            if name == parameter and not isinstance(value, ast.Starred):
                return below, value
    return None


def init_below(inspector: Inspector, cls: ProjectClass, base: ProjectClass) -> FunctionInfo | None:
    """The nearest `__init__` that comes before that of a base."""
    nearest: FunctionInfo | None = None
    for each in classes.mro(inspector, cls):
        if not isinstance(each, ProjectClass):
            continue
        if each.key == base.key:
            return nearest
        nearest = own_init(inspector, inspector.tree.class_(each.key)) or nearest
    return None


def own_init(inspector: Inspector, info: ClassInfo | None) -> FunctionInfo | None:
    return (
        inspector.tree.function(info.methods["__init__"]) if info is not None and "__init__" in info.methods else None
    )


def calls_of_init(node: FunctionNode) -> Iterator[ast.Call]:
    """`super().__init__(…)`, as a statement, with arguments whose places are known: `*args` may be the last of them."""
    if isinstance(node, ast.Lambda):
        return
    for statement in flat_statements(node.body):
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")) as call
            ) if all(
                not isinstance(argument, ast.Starred)
                or (argument is call.args[-1] and is_name(argument.value, node.args.vararg))
                for argument in call.args
            ):
                yield call


def is_name(value: ast.expr, parameter: ast.arg | None) -> bool:
    """Whether an expression is what `*args` or `**kwargs` holds, if there is such a parameter."""
    return parameter is not None and isinstance(value, ast.Name) and value.id == parameter.arg
