"""What the finders ask of a scope: its calls, what it compiles in place, the loops around a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compilelint.regions.around import scope_kinds, scopes
from compilelint.regions.around.in_place import in_place_target
from compilelint.regions.around.scopes import Scope, Statement, asked_once

_COMPILE = "torch.compile"


def calls(scope: Scope) -> Iterator[ast.Call]:
    """Every call that the scope's own statements make."""
    for _, call in scope.calls:
        yield call


@asked_once
def compile_calls(scope: Scope) -> list[ast.Call]:
    """Calls of torch.compile, also those that give a decorator, and of module.compile."""
    return list(_compile_calls(scope))


def _compile_calls(scope: Scope) -> Iterator[ast.Call]:
    for statement in scope.statements:
        node = statement.node
        parts = list(statement.expressions)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            parts = node.decorator_list
        for part in parts:
            if isinstance(part, ast.Call) and (
                scope_kinds.is_reference(scope, part.func, _COMPILE) or in_place_target(scope, part) is not None
            ):
                yield part
        if isinstance(node, ast.ClassDef):
            yield from _decorators_of_methods(scope, node)


def _decorators_of_methods(scope: Scope, node: ast.ClassDef) -> Iterator[ast.Call]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in part.decorator_list:
                if isinstance(decorator, ast.Call) and scope_kinds.is_reference(scope, decorator.func, _COMPILE):
                    yield decorator


def text_of(scope: Scope) -> str:
    """The whole file's text."""
    return scope.inspector.tree.text_of(scope.module)


@asked_once
def compiled_in_place(scope: Scope) -> dict[str, scopes.Position]:
    """The modules on which the scope calls `.compile()`, as it writes them, and since where."""
    found: dict[str, scopes.Position] = dict.fromkeys(scope.given_in_place, (0, 0))
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
