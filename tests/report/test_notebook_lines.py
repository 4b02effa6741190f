from __future__ import annotations

import json
from typing import Any

import pytest

from compilelint.report.notebook_lines import cell_lines


def notebook(*cells: dict[str, Any]) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def code(*lines: str) -> dict[str, Any]:
    outputs = [{"data": {"text/plain": ["source"]}, "output_type": "display_data", "source": ["no"]}]
    return {"cell_type": "code", "metadata": {"source": "x"}, "source": list(lines), "outputs": outputs}


def test_each_line_of_a_cell_is_found_in_the_file() -> None:
    text = notebook({"cell_type": "markdown", "source": ["# Title"]}, code("import torch\n", 'print("a, [b]")\n', "x"))
    found = cell_lines(text)
    lines = text.split("\n")
    assert "# Title" in lines[found[1][0] - 1]
    assert [lines[number - 1].strip() for number in found[2]] == [
        r'"import torch\n",',
        r'"print(\"a, [b]\")\n",',
        '"x"',
    ]


def test_source_that_is_one_string_stands_on_one_line() -> None:
    text = notebook({"cell_type": "code", "source": "a\nb\nc"})
    (line,) = set(cell_lines(text)[1])
    assert len(cell_lines(text)[1]) == 3
    assert r"a\nb\nc" in text.split("\n")[line - 1]


def test_strings_that_are_no_whole_lines_count_as_one() -> None:
    text = notebook(code("a = ", "1\n", "b"))
    first, second = cell_lines(text)[1]
    assert '"a = "' in text.split("\n")[first - 1]
    assert '"b"' in text.split("\n")[second - 1]


def test_notebooks_of_version_3_have_worksheets() -> None:
    cell = {"cell_type": "code", "input": ["x = 1\n", "y"]}
    text = json.dumps({"nbformat": 3, "worksheets": [{"cells": [cell]}]}, indent=1)
    assert len(cell_lines(text)[1]) == 2


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"cells": 3}', "[" * 100_000])
def test_what_is_no_notebook_has_no_cells(text: str) -> None:
    assert cell_lines(text) == {}
