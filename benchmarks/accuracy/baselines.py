"""What anyone would try first, as claims that are scored like the check's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from benchmarks.accuracy.claims import Claim

_WORDS = re.compile(r"\.item\(|\.tolist\(|\.numpy\(|\bprint\(|\bnp\.")
_FORWARD = re.compile(r"\bdef forward\b")


def grep(sources: Mapping[str, str]) -> tuple[Claim, ...]:
    """Every line with `.item(`, `.tolist(`, `.numpy(`, `print(` or `np.`, in files that define a `forward`."""
    return tuple(
        _claim(file, number, number, "grep", line.strip())
        for file, text in sources.items()
        if _FORWARD.search(text)
        for number, line in enumerate(text.splitlines(), start=1)
        if _WORDS.search(line)
    )


def every_if(sources: Mapping[str, str]) -> tuple[Claim, ...]:
    """Every `if` in a `forward` whose condition has a name in it that is not `self`."""
    return tuple(claim for file, text in sources.items() if _FORWARD.search(text) for claim in _ifs(file, text))


def _ifs(file: str, text: str) -> Iterator[Claim]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == "forward":
            for node in ast.walk(function):
                if isinstance(node, ast.If) and _is_on_a_name(node.test):
                    yield _claim(file, node.lineno, node.test.end_lineno or node.lineno, "if", ast.unparse(node.test))


def _is_on_a_name(test: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id != "self" for part in ast.walk(test))


def _claim(file: str, line: int, end_line: int, rule: str, message: str) -> Claim:
    return Claim(file, line, end_line, rule, "graph-break", "warning", "", message)
