"""Numbers and names that each of the layers has another of which are compiled one by one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import first_parameter
from compilelint.regions.around.scopes import Scope
from compilelint.regions.changes.compiled_apart import (
    classes_compiled_apart,
    counters,
    first_reads,
    method_of,
    parameters_given,
)
from compilelint.regions.usage import Usage
from compilelint.source.nodes import walk

_COUNTERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


def _differs_per_instance(scope: Scope) -> Iterator[Usage]:
    """What `forward` reads of layers that are compiled one by one, and a loop gave each another value of."""
    for cls in classes_compiled_apart(scope):
        varying = set(_varying_attributes(scope, cls))
        if varying:
            for read in first_reads(scope, cls, varying):
                yield read.usage(scope, "differs-per-instance")


def _varying_attributes(scope: Scope, cls: kinds.ProjectClass) -> Iterator[str]:
    """Attributes that `__init__` takes straight from a parameter for which a loop passes its variable."""
    varying = set(parameters_given(scope, cls, lambda argument, made: _depends_on(argument, counters(made))))
    init = method_of(scope, cls, "__init__")
    if init is None or not varying:
        return
    receiver = first_parameter(init.node)
    for node in walk(init.node):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=ast.Name(id=name)):
                if owner == receiver and name in varying:
                    yield attr


def _depends_on(node: ast.expr, variables: set[str]) -> bool:
    """Whether this is an `int` or `str` made from a loop's variable; a quotient is a float."""
    match node:
        case ast.Name(id=name):
            return name in variables
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _COUNTERS):
            floats = any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in (left, right))
            return not floats and (_depends_on(left, variables) or _depends_on(right, variables))
        case ast.JoinedStr(values=values):
            return any(
                isinstance(value, ast.FormattedValue) and _depends_on(value.value, variables) for value in values
            )
        case _:
            return False


FINDERS: tuple[Callable[[Scope], Iterator[Usage]], ...] = (_differs_per_instance,)
