from __future__ import annotations

import pytest

from compilelint.report.terminal.cells import pieces, printable, width_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x = y[\x1b[31m", r"x = y[\x1b[31m"),
        ("a\x00b\x7f", r"a\x00b\x7f"),
        ("line\nbreak\ttab", r"line\x0abreak\x09tab"),
        ("next\x85line", r"next\x85line"),
        ("flip \u202e this", r"flip \u202e this"),
        ("separate\u2028lines", r"separate\u2028lines"),
        ("lone \udcff surrogate", r"lone \udcff surrogate"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).isprintable()


@pytest.mark.parametrize("text", ["plain", "漢字 → naïve", "𝛼 = β", "e\u0301", "👩\u200d💻"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("漢字", 4), ("ﾊﾝ", 2), ("Ａ", 2), ("e\u0301", 1), ("→", 1), ("", 0)],
)
def test_width_counts_cells_not_characters(text: str, cells: int) -> None:
    assert width_of(text) == cells


def test_tabs_reach_the_next_tab_stop() -> None:
    assert pieces("\ta\tb") == ["    ", "a", "   ", "b"]
    assert pieces("漢\tb") == ["漢", "  ", "b"]
