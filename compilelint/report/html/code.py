"""Source as rows of a page: highlighted, with the part that matters marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.util import ClassNotFound

from compilelint.report.model import Source
from compilelint.report.terminal.cells import pieces, width_of


@dataclass(frozen=True, slots=True)
class Mark:
    """What is underlined in a row, in character cells from its beginning."""

    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of source."""

    number: int
    code: Markup
    mark: Mark | None = None


Highlighter = Callable[[Source], tuple[Markup, ...]]
SourceFinder = Callable[[str, int], "Source | None"]


def highlighted(text: str) -> tuple[Markup, ...]:
    """Each line of Python source as markup; tabs and what cannot be seen are spelled out."""
    shown = "\n".join(map(visible, text.split("\n")))
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    # The formatter ends the last line, whether the text did or not.
    rows = highlight(shown, lexer, HtmlFormatter(nowrap=True)).split("\n")
    return tuple(map(Markup, rows[: text.count("\n") + 1]))


def visible(line: str) -> str:
    """A line of source with tabs as spaces, and what cannot be seen spelled out."""
    return line if line.isascii() and line.isprintable() else "".join(pieces(line))


def highlighter() -> Highlighter:
    """`highlighted` for the functions of one report, each done once."""
    return cache(lambda source: highlighted(source.text))


def finder(sources: Iterable[Source]) -> SourceFinder:
    """What gives the innermost function that a line is in, None where its source is not at hand."""
    by_path: dict[str, list[Source]] = {}
    for source in sources:
        by_path.setdefault(source.path, []).append(source)

    def find(path: str, line: int) -> Source | None:
        holding = (each for each in by_path.get(path, ()) if each.line <= line <= last_line(each))
        return max(holding, key=lambda each: (bool(each.function), each.line), default=None)

    return find


def last_line(source: Source) -> int:
    return source.line + source.text.count("\n")


def fenced(text: str, language: str) -> Markup:
    """A block of code of a page, highlighted if its language is known."""
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return Markup(highlight(text, lexer, HtmlFormatter(nowrap=True)))


def marked(line: str, columns: tuple[int, int | None]) -> Mark:
    """Where a span is in a line of source: from its first column to before its end, None for the end of the line."""
    shown = pieces(line.rstrip())
    start = min(max(columns[0] - 1, 0), max(len(shown) - 1, 0))
    end = len(shown) if columns[1] is None else min(columns[1] - 1, len(shown))
    before = sum(map(width_of, shown[:start]))
    return Mark(before, max(sum(map(width_of, shown[start:end])), 1))


def excerpt(
    source: Source | None, line: int, text: str, columns: tuple[int, int | None], lines: Highlighter, around: int
) -> tuple[Row, ...]:
    """A line, marked, with some around it; the line alone where its function is not at hand or has changed since."""
    rows = source.text.split("\n") if source is not None else []
    if source is None or not 0 <= line - source.line < len(rows) or rows[line - source.line] != text:
        return (Row(line, highlighted(text)[0], marked(text, columns)),) if text.strip() else ()
    at = line - source.line
    codes = lines(source)
    return tuple(
        Row(source.line + index, codes[index], marked(text, columns) if index == at else None)
        for index in range(max(at - around, 0), min(at + around + 1, len(rows)))
    )
