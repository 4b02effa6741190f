from __future__ import annotations

import pytest

from compilelint.report.html.code import Mark, excerpt, fenced, finder, highlighted, highlighter, marked
from compilelint.report.model import Source

FUNCTION = Source("a.py", "f", 10, 'def f(x):\n    """One\n    two."""\n    return x.item()')


def test_each_line_is_whole_markup_though_a_string_goes_over_several() -> None:
    rows = highlighted(FUNCTION.text)
    assert len(rows) == 4
    assert all(row.count("<span") == row.count("</span>") for row in rows)


@pytest.mark.parametrize("text", ["", "x", "x\n", "\n\nx", "x = '", "\\"])
def test_there_are_as_many_rows_as_lines_whatever_the_text_is(text: str) -> None:
    assert len(highlighted(text)) == text.count("\n") + 1


def test_source_cannot_leave_its_row() -> None:
    (row,) = highlighted("x = '</script><img src=x onerror=alert(1)>\x1b\u202e'")
    assert "<img" not in row
    assert "</script" not in row
    assert "\u202e" not in row
    assert "\x1b" not in row


def test_a_mark_counts_cells_and_not_characters() -> None:
    assert marked("\tx = y", (2, 3)) == Mark(4, 1)
    assert marked("'日本' + y", (8, 9)) == Mark(9, 1)
    assert marked("    return x", (5, None)) == Mark(4, 8)
    assert marked("", (30, 40)) == Mark(0, 1)


def test_an_excerpt_has_lines_around_the_one_that_is_marked() -> None:
    rows = excerpt(FUNCTION, 13, "    return x.item()", (12, 20), highlighter(), 1)
    assert [(row.number, row.mark) for row in rows] == [(12, None), (13, Mark(11, 8))]


def test_a_file_that_changed_since_shows_the_line_alone() -> None:
    rows = excerpt(FUNCTION, 13, "    return x.cpu().item()", (12, 20), highlighter(), 1)
    assert [row.number for row in rows] == [13]
    assert excerpt(None, 13, "", (1, None), highlighter(), 1) == ()


def test_the_innermost_function_is_found() -> None:
    inner = Source("a.py", "f.<locals>.g", 11, "    def g():\n        pass")
    window = Source("a.py", "", 11, "a\nb\nc")
    find = finder([FUNCTION, inner, window])
    assert find("a.py", 12) is inner
    assert find("a.py", 13) is FUNCTION
    assert find("a.py", 14) is None
    assert find("b.py", 12) is None


def test_code_of_an_unknown_language_is_text() -> None:
    assert fenced("<b>", "no-language").strip() == "&lt;b&gt;"
