"""One line each: for editors, `grep` and logs."""

from __future__ import annotations

from collections.abc import Iterator

from compilelint.report.formats import Look
from compilelint.report.formats.check_text import error_line
from compilelint.report.lines import Line, lines_of, what_else
from compilelint.report.model import Report
from compilelint.report.order import ordered_errors
from compilelint.report.place import place
from compilelint.report.summary import summary
from compilelint.report.terminal.cells import printable
from compilelint.report.terminal.paint import Paint, ansi, plain


def render(report: Report, look: Look) -> str:
    """`path:line:column: CODE message` for each finding; of a run, first for each cause of what it did."""
    paint = ansi if look.color else plain
    return "".join(f"{line}\n" for line in _lines(report, paint))


def _lines(report: Report, paint: Paint) -> Iterator[str]:
    for each in lines_of(report):
        yield f"{paint(f'{printable(place(each))}:', 'path')} {told_in_line(each, paint)}"
    for problem in ordered_errors(report.errors):
        yield error_line(problem, paint)
    yield from what_else(report)
    yield summary(report, paint)


def told_in_line(line: Line, paint: Paint) -> str:
    """What follows the place: `CL101 message [confirmed, 3 times]`."""
    remark = f" [{line.remark}]" if line.remark else ""
    return f"{paint(line.rule, line.severity)} {printable(line.message)}{paint(remark, 'note') if remark else ''}"
