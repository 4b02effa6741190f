"""One line each below the name of its file: for people who go through a project file by file."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.report.formats import Look
from compilelint.report.formats.check_text import error_line
from compilelint.report.formats.concise import told_in_line
from compilelint.report.lines import Line, lines_of, what_else
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors
from compilelint.report.place import place_in_file
from compilelint.report.summary import summary
from compilelint.report.terminal.cells import printable
from compilelint.report.terminal.paint import Paint, ansi, plain


def render(report: Report, look: Look) -> str:
    """`path:` and below it `line:column CODE message` for each of its findings, and of a run for the causes.

    Files stand in the order of the first line of each: those of a run by what they cost.
    """
    paint = ansi if look.color else plain
    files: dict[str, list[Line]] = {}
    for each in lines_of(report):
        files.setdefault(each.path, []).append(each)
    blocks = ["\n".join(_block(path, lines, paint)) for path, lines in files.items()]
    rest = [*(error_line(each, paint) for each in ordered_errors(report.errors)), *what_else(report)]
    return "\n\n".join([*blocks, *(["\n".join(rest)] if rest else []), summary(report, paint)]) + "\n"


def _block(path: str, lines: list[Line], paint: Paint) -> Iterator[str]:
    yield paint(f"{printable(path)}:", "path")
    places = [place_in_file(each) for each in lines]
    width = max(map(len, places))
    for where, each in zip(places, lines, strict=True):
        yield f"  {where:<{width}}  {told_in_line(each, paint)}"
