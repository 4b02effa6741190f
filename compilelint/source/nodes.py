"""Going through syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, outer before inner, as `ast.walk` gives them in twice the time; without operators, and
    without the contexts (`Load`, `Store`, `Del`) of names, of which there are as many as names."""
    nodes = [node]
    add = nodes.append
    for each in nodes:
        yield each
        type_ = type(each)
        below = _BELOW.get(type_)
        for name in _fields(type_) if below is None else below:
            value = getattr(each, name, None)
            if value is None:
                continue
            if type(value) is list:
                for part in value:
                    if isinstance(part, ast.AST):
                        add(part)
            elif isinstance(value, ast.AST):
                add(value)


def is_none(node: ast.AST | None) -> bool:
    """Whether an expression is `None`, as it is written."""
    return isinstance(node, ast.Constant) and node.value is None


def asked_classes(node: ast.expr) -> list[ast.expr]:
    """The classes that `isinstance` is asked for: those of a tuple, and those of a union, `int | float | None`."""
    match node:
        case ast.Tuple(elts=classes):
            return classes
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*asked_classes(left), *asked_classes(right)]
        case _:
            return [node]


def positional_names(spec: ast.arguments) -> list[str]:
    """The parameters to which arguments go by their position."""
    return [arg.arg for arg in (*spec.posonlyargs, *spec.args)]


def _fields(type_: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a sort of nodes in which there may be nodes."""
    found = () if type_ is ast.Constant else tuple(name for name in type_._fields if name not in _NO_NODES)
    _BELOW[type_] = found
    return found


_BELOW: dict[type, tuple[str, ...]] = {}
_NO_NODES = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "level", "module", "type_comment", "lineno"})


def parameter_of(call: ast.Call, names: list[str], argument: ast.expr) -> str | None:
    """The parameter that an argument goes to, of a function whose positional ones have these names."""
    for keyword in call.keywords:
        if keyword.value is argument:
            return keyword.arg
    position = next(place for place, node in enumerate(call.args) if node is argument)
    if any(isinstance(each, ast.Starred) for each in call.args[: position + 1]):
        return None
    return names[position] if position < len(names) else None


def pairs_of(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives to what, taken apart where both are tuples: `self.a, self.b = a, b`."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _paired(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    match target, value:
        case (ast.Tuple(elts=targets), ast.Tuple(elts=values)) if len(targets) == len(values) and not any(
            isinstance(each, ast.Starred) for each in (*targets, *values)
        ):
            for each, given in zip(targets, values, strict=True):
                yield from _paired(each, given)
        case _:
            yield target, value
