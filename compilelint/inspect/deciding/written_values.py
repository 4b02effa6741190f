"""What functions give names, attributes and parameters, as it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.source.index import flat_statements
from compilelint.source.model import ClassInfo, FunctionInfo, FunctionNode
from compilelint.source.nodes import pairs_of, walk
from compilelint.source.watched import stores

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector


def only_value(node: FunctionNode, name: str) -> ast.expr | None:
    """What a function gives a name that is no parameter, if it does so once, and in each call: `act = config.act`."""
    if isinstance(node, ast.Lambda):
        return None
    parts = list(walk(node))
    given = [part for part in parts if isinstance(part, ast.Name) and part.id == name and _is_bound(part)]
    if any(isinstance(part, ast.arg) and part.arg == name for part in parts):
        return None
    found = (each.value for each in node.body if isinstance(each, ast.Assign) and each.targets == given)
    return next(found, None)


def _is_bound(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def is_state(inspector: Inspector, info: ClassInfo, name: str) -> bool:
    """Whether methods other than `__init__` assign an attribute."""
    others = (inspector.tree.function(key) for method, key in info.methods.items() if method != "__init__")
    return any(other is not None and first_assigned(other, name) is not None for other in others)


def first_assigned(function: FunctionInfo, name: str) -> ast.expr | None:
    """What a method assigns to an attribute first."""
    if isinstance(function.node, ast.Lambda) or not stores(function.node):
        return None
    own = first_parameter(function.node)
    for statement in flat_statements(function.node.body):
        for target, value in pairs_of(statement):
            match target:
                case ast.Attribute(value=ast.Name(id=receiver), attr=attribute) if (receiver, attribute) == (own, name):
                    return value
    return None


def default_of(node: FunctionNode, name: str) -> ast.expr | None:
    """The default of a parameter, if there is such a parameter and it has one."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    pairs = zip([*positional, *args.kwonlyargs], [*defaults, *args.defaults, *args.kw_defaults], strict=True)
    return next((default for arg, default in pairs if arg.arg == name), None)


def annotated_parameters(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Its parameters that have one, each with it."""
    for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if arg.annotation is not None:
            yield arg.arg, arg.annotation
