"""The statements of a source file, as spans of lines: Dynamo names a line somewhere inside one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Span = tuple[int, int]
"""First and last line, both included."""


@dataclass(frozen=True, slots=True)
class Statements:
    """Which statement holds a line of one file. Of a compound statement only its header counts."""

    innermost: Mapping[int, Span]

    def at(self, line: int) -> Span:
        """The innermost statement that holds a line; the line itself where there is none."""
        return self.innermost.get(line, (line, line))


def statements(text: str) -> Statements:
    """Every statement of a file; none if it is not Python."""
    innermost: dict[int, Span] = {}
    for first, last in _spans(text):
        for line in range(first, last + 1):
            known = innermost.get(line)
            if known is None or last - first < known[1] - known[0]:
                innermost[line] = (first, last)
    return Statements(innermost)


def _spans(text: str) -> Iterator[Span]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.Try() | ast.Module():
                pass
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head) | ast.AsyncFor(iter=head):
                yield node.lineno, _end(head)
            case ast.Match(subject=head):
                yield node.lineno, _end(head)
            case ast.match_case(pattern=pattern, guard=guard):
                yield pattern.lineno, _end(guard or pattern)
            case ast.ExceptHandler(type=type_):
                yield node.lineno, _end(type_) if type_ is not None else node.lineno
            case ast.With(items=items) | ast.AsyncWith(items=items):
                yield node.lineno, max(_end(item.optional_vars or item.context_expr) for item in items)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield _definition(node)
            case ast.stmt() if type(node).__name__ != "TryStar":
                yield node.lineno, _end(node)


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
    """From the first decorator to the end of the signature: Dynamo counts decorators as a function's first line."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first, max([node.lineno, *(_end(part) for part in _signature(node))])


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[ast.AST]:
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
    else:
        yield from (part for part in ast.walk(node.args) if isinstance(part, ast.expr | ast.arg))
        if node.returns is not None:
            yield node.returns


def _end(node: ast.AST) -> int:
    line: int = getattr(node, "end_lineno", 0)
    return line
