"""Comments that accept findings: where they go, that they hold, and that they change nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from compilelint.project.ignore_comments import ignore_comments, inserted
from compilelint.project.suppressions import read_suppressions, suppress
from tests.report.make import finding

HERE = Path(__file__)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("x.item()\n", 1, "x.item()  # compilelint: ignore[CL101] why\n"),
        ("x.item()", 1, "x.item()  # compilelint: ignore[CL101] why"),
        ("x.item()  # noqa: E501\n", 1, "x.item()  # noqa: E501  # compilelint: ignore[CL101] why\n"),
        ("f(\n  x.item(),\n)", 2, "f(\n  x.item(),  # compilelint: ignore[CL101] why\n)"),
        ("y = a + \\\n  x.item()", 1, "y = a + \\\n  x.item()  # compilelint: ignore[CL101] why"),
        ("y = '''\n''' + x.item()", 1, "y = '''\n''' + x.item()  # compilelint: ignore[CL101] why"),
        ("y = f'''{x.item()}\n'''", 1, "y = f'''{x.item()}\n'''  # compilelint: ignore[CL101] why"),
        ("if x:\n\treturn x", 1, "if x:  # compilelint: ignore[CL101] why\n\treturn x"),
        ("x  # compilelint: ignore[CL5] old", 1, "x  # compilelint: ignore[CL5, CL101] old"),
        ("x  # compilelint: ignore[]", 1, "x  # compilelint: ignore[]  # compilelint: ignore[CL101] why"),
        ("x = '# compilelint: ignore[CL5]'", 1, "x = '# compilelint: ignore[CL5]'  # compilelint: ignore[CL101] why"),
    ],
)
def test_the_comment_stands_where_one_can(text: str, line: int, expected: str) -> None:
    found = finding(code="CL101", line=line, end_line=line)
    assert inserted(text, ignore_comments(text, [found], "why")) == expected


def test_findings_of_one_line_share_a_comment_and_need_no_reason() -> None:
    found = [finding(code=code, line=1, end_line=1) for code in ("CL202", "CL101", "CL101")]
    assert inserted("f(x)", ignore_comments("f(x)", found)) == "f(x)  # compilelint: ignore[CL101, CL202]"


def test_a_text_that_is_no_python_gets_none() -> None:
    assert ignore_comments("x = (\n", [finding(line=1, end_line=1)]) == ()


@pytest.mark.parametrize(
    "file", [HERE, HERE.parents[2] / "compilelint/project/suppressions.py"], ids=lambda file: file.name
)
def test_every_expression_of_a_file_can_be_accepted_once(file: Path) -> None:
    text = file.read_text("utf-8")
    found = [
        finding(code="CL101" if node.col_offset % 2 else "CL202", line=node.lineno, end_line=node.end_lineno or 0)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.expr)
    ]
    accepting = inserted(text, ignore_comments(text, found))
    assert ast.dump(ast.parse(accepting)) == ast.dump(ast.parse(text))
    assert suppress(found, read_suppressions(accepting)).kept == ()
    assert ignore_comments(accepting, found) == ()
