"""What the finders ask of a scope: its calls, what it compiles in place, the loops around a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.regions import scopes
from compilelint.regions.in_place import in_place_target
from compilelint.regions.scopes import Scope, Statement


def calls(scope: Scope) -> Iterator[ast.Call]:
    """Every call that the scope's own statements make."""
    for _, call in calls_with_statements(scope):
        yield call


def calls_with_statements(scope: Scope) -> Iterator[tuple[Statement, ast.Call]]:
    for statement in scope.statements:
        for node in scopes.expressions(statement):
            if isinstance(node, ast.Call):
                yield statement, node


def text_of(scope: Scope) -> str:
    """The whole file's text."""
    return scope.inspector.tree.texts[scope.module.name].text


def compiled_in_place(scope: Scope) -> dict[str, scopes.Position]:
    """The modules on which the scope calls `.compile()`, as it writes them, and since where."""
    found: dict[str, scopes.Position] = {}
    for statement in scope.statements:
        if isinstance(statement.node, ast.Expr):
            target = in_place_target(scope, statement.node.value)
            if target is not None:
                found.setdefault(ast.unparse(target), scopes.end_of(statement.node))
    return found


def loops_around(statement: Statement) -> list[ast.For | ast.While]:
    """The loops in which a statement stands, outermost first."""
    return [ancestor for ancestor in statement.ancestors if isinstance(ancestor, ast.For | ast.While)]


def is_constant(node: ast.expr | None, value: object) -> bool:
    """Whether an expression is exactly this constant; `1` is not `True`."""
    return isinstance(node, ast.Constant) and node.value == value and type(node.value) is type(value)
