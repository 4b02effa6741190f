"""The source of the functions that a report names, for formats that show it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from compilelint.project.files import Unreadable, read_source
from compilelint.report.model import Report, Source

_AROUND = 3
"""Lines shown before and after one that is outside of all functions."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a function stands."""

    name: str
    first: int
    last: int


def with_sources(report: Report, root: Path) -> Report:
    """The report with the source, as the files are now, of each function that findings, observations and costs are of.

    The report's paths are relative to `root`. Files that cannot be read or parsed, and what is no Python file (a
    notebook), have none.
    """
    wanted: dict[str, set[int]] = {}
    for path, line in _places(report):
        if path.endswith(".py"):
            wanted.setdefault(path, set()).add(line)
    found = (each for path in sorted(wanted) for each in _sources(root / path, path, wanted[path]))
    return replace(report, sources=tuple(found))


def _places(report: Report) -> Iterator[tuple[str, int]]:
    for finding in report.findings:
        yield finding.path, finding.line
    for each in report.observations:
        yield each.path, each.line
        for frame in (each.owner, each.frame, *each.dropped):
            if frame is not None:
                yield frame.path, frame.line
    for cost in report.run.frames if report.run else ():
        yield cost.path, cost.line


def _sources(file: Path, path: str, lines: Iterable[int]) -> Iterator[Source]:
    try:
        text = read_source(file)
        tree = ast.parse(text)
    except (Unreadable, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    rows = text.split("\n")
    spans = tuple(_spans(tree, ""))
    shown: dict[tuple[int, int], _Span] = {}
    for line in sorted(lines):
        span = _innermost(spans, line) or _Span("", max(line - _AROUND, 1), line + _AROUND)
        if line <= len(rows):
            shown.setdefault((span.first, span.last), span)
    for span in shown.values():
        yield Source(path, span.name, span.first, "\n".join(rows[span.first - 1 : span.last]))


def _innermost(spans: Iterable[_Span], line: int) -> _Span | None:
    holding = (span for span in spans if span.first <= line <= span.last)
    return max(holding, key=lambda span: (span.first, -span.last), default=None)


def _spans(node: ast.AST, scope: str) -> Iterator[_Span]:
    """Every function below a node, named as Python's `__qualname__` does."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            yield _Span(f"{scope}{child.name}", first, child.end_lineno or child.lineno)
            yield from _spans(child, f"{scope}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _spans(child, f"{scope}{child.name}.")
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _spans(child, scope)
