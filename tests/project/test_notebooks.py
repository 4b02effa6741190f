"""Notebooks of all formats become programs, and lines find back to their cells."""

from __future__ import annotations

import json

import nbformat
import pytest

from compilelint.project.notebooks import BrokenCell, Cell, NotebookError, as_program, parse_notebook
from compilelint.source.refused import refusal


def _v4(*cells: tuple[str, str], **metadata: object) -> str:
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    node = nbformat.v4.new_notebook(cells=[make[kind](source) for kind, source in cells], metadata=metadata)
    return nbformat.writes(node)


def test_cells_are_counted_with_those_of_text() -> None:
    notebook = parse_notebook(_v4(("markdown", "# Title"), ("code", "x\r\ny"), ("markdown", ""), ("code", "z")))
    assert notebook.cells == (Cell(2, "x\ny"), Cell(4, "z"))


def test_format_3_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "metadata": {}, "source": ["Title"]},
        {"cell_type": "code", "input": ["x\n", "y"], "language": "python", "metadata": {}, "outputs": []},
    ]
    document = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}
    assert parse_notebook(json.dumps(document)).cells == (Cell(2, "x\ny"),)


@pytest.mark.parametrize(
    ("metadata", "is_python"),
    [
        ({}, True),
        ({"language_info": {"name": "python"}}, True),
        ({"kernelspec": {"name": "x", "display_name": "x", "language": "julia"}}, False),
        ({"language_info": {"name": "R"}, "kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}, False),
    ],
)
def test_the_kernel_says_whether_it_is_python(metadata: dict[str, object], is_python: bool) -> None:
    assert parse_notebook(_v4(("code", "x"), **metadata)).is_python is is_python


def test_a_cell_of_another_language_in_vs_code_is_left_out() -> None:
    document = json.loads(_v4(("code", "SELECT 1"), ("code", "x")))
    document["cells"][0]["metadata"]["vscode"] = {"languageId": "sql"}
    assert parse_notebook(json.dumps(document)).cells == (Cell(2, "x"),)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "is no notebook: not valid JSON: Expecting value", 1),
        ('{"a":\n1 2}', "is no notebook: not valid JSON: Expecting ',' delimiter", 2),
        ('{"nbformat": 99}', "is no notebook: unsupported nbformat version 99", None),
        ("[]", "is no notebook: a part that every notebook has is missing or of the wrong type", None),
        ("{}", "is no notebook: a part that every notebook has is missing or of the wrong type", None),
        (
            '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": 5}]}',
            "is no notebook: a part that every notebook has is missing or of the wrong type",
            None,
        ),
        ("[" * 200_000, "is no notebook: its JSON nests too deep", None),
    ],
)
def test_what_is_no_notebook_is_said_in_one_line(text: str, message: str, line: int | None) -> None:
    with pytest.raises(NotebookError) as error:
        parse_notebook(text)
    assert error.value.message.startswith(message)
    assert "\n" not in error.value.message
    assert error.value.line == line


def test_lines_of_the_program_find_their_cells() -> None:
    program = as_program([Cell(2, "a\n%time b"), Cell(3, "%%bash\nls"), Cell(5, "c\n\nd")])
    assert program.text == "a\n0;    b\nc\n\nd"
    assert program.shown == "a\n%time b\nc\n\nd"
    assert [program.cells.find(line) for line in range(1, 6)] == [(2, 1), (2, 2), (5, 1), (5, 2), (5, 3)]


def test_a_broken_cell_is_told_and_the_others_are_there() -> None:
    program = as_program([Cell(1, "a"), Cell(2, "\nx = ("), Cell(3, "x = '\0'"), Cell(4, "b")])
    assert program.text == "a\nb"
    assert program.broken[0] == BrokenCell(2, refusal(SyntaxError("'(' was never closed")), 2)
    assert [each.number for each in program.broken] == [2, 3]
    assert program.cells.find(2) == (4, 1)


def test_a_cell_pasted_with_its_indentation_is_python_in_place() -> None:
    program = as_program([Cell(1, "a"), Cell(2, "    b\n    c"), Cell(3, "d")])
    assert program.broken == ()
    assert program.text == "a\nif True:\n    b\n    c\nd"
    assert [program.cells.find(line) for line in (1, 3, 4, 5)] == [(1, 1), (2, 1), (2, 2), (3, 1)]


def test_a_notebook_without_code_is_an_empty_program() -> None:
    assert as_program([]).text == ""
