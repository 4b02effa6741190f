from __future__ import annotations

import pytest

from compilelint.report.terminal.cells import width_of
from compilelint.report.terminal.frame import code_frame
from compilelint.report.terminal.paint import plain


def _frame(source: str, first: int, end: int | None, width: int = 80, label: str = "why") -> list[str]:
    return code_frame(source, 7, first, end, label=label, role="warning", paint=plain, width=width)


def _underlined(frame: list[str]) -> str:
    """What stands above the carets, by terminal cells."""
    cells = "".join(
        char * (width_of(char) or 0) if char.isascii() else char + "\0" * (width_of(char) - 1) for char in frame[1]
    )
    start = frame[2].index("^")
    return cells[start : start + frame[2].count("^")].replace("\0", "")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("    y = x.item()", "x.item()"),
        ("\t\ty = x.item()  # note", "x.item()"),
        ("\ty\t=\tx.item()", "x.item()"),
        ("名前 = 計算(値.item())", "値.item()"),
        ("y = '漢字', x.item(), '漢字'", "x.item()"),
        ("y = '\x1b[31m', x.item()", "x.item()"),
    ],
)
def test_carets_stand_under_the_span(source: str, target: str) -> None:
    first = source.index(target) + 1
    assert _underlined(_frame(source, first, first + len(target))) == target


def test_carets_run_to_the_end_of_the_line_when_the_span_goes_on_below() -> None:
    assert _underlined(_frame("    y = torch.where(   ", 9, None)) == "torch.where("


@pytest.mark.parametrize(("first", "end"), [(3, 3), (9, 4), (99, 120), (1, 999)])
def test_a_span_that_does_not_fit_its_line_still_gets_a_caret(first: int, end: int) -> None:
    frame = _frame("y = x", first, end)
    assert "^" in frame[2]
    assert frame[2].rindex("^") <= frame[1].index("y = x") + len("y = x")


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("where", [0, 90, 190])
def test_a_long_line_is_cut_around_its_span(width: int, where: int) -> None:
    source = "漢" * (where // 2) + "+" * (where - where // 2) + "x.item()" + " + y" * 50
    first = source.index("x.item()") + 1
    frame = _frame(source, first, first + len("x.item()"), width=width)
    assert all(width_of(line) <= width for line in frame)
    assert _underlined(frame) == "x.item()"
    assert "…" in frame[1]


def test_a_span_wider_than_the_terminal_is_underlined_as_far_as_it_is_seen() -> None:
    frame = _frame("    y = " + "x + " * 100, 9, 400, width=60)
    assert all(width_of(line) <= 60 for line in frame)
    assert frame[2].count("^") > 40


def test_a_label_that_does_not_fit_gets_its_own_line() -> None:
    short = _frame("    y = x.item()", 9, 17, width=60, label="graph break")
    assert short[2].endswith("^ graph break")
    long = _frame(" " * 30 + "y = x.item()", 35, 43, width=50, label="graph break, high confidence")
    assert long[2].endswith("^")
    assert long[3].endswith("| " + " " * 18 + "graph break, high confidence")
    assert width_of(long[3]) <= 50
