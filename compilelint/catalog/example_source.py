"""What an example's source says about itself, without running it."""

from __future__ import annotations

import ast


def defines_root(source: str) -> bool:
    """Whether an example binds `f`, the root to compile, at its top level; else it is a script."""
    for statement in ast.parse(source).body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if statement.name == "f":
                return True
        elif any(
            isinstance(node, ast.Name) and node.id == "f" and isinstance(node.ctx, ast.Store)
            for node in ast.walk(statement)
        ):
            return True
    return False


def statement_starts(source: str) -> dict[int, int]:
    """For each line of code, the first line of its statement; of a compound one, of its header.

    Dynamo reports some line of a statement that spans several.
    """
    starts: dict[int, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else (node.end_lineno or node.lineno)
            decorators = getattr(node, "decorator_list", [])
            first = min((decorator.lineno for decorator in decorators), default=node.lineno)
            for line in range(first, max(end, node.lineno) + 1):
                if starts.get(line, 0) < node.lineno:
                    starts[line] = node.lineno
    return starts
