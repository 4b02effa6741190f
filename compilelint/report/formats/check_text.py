"""The report for people: one block per finding, then what went wrong, then one line that sums up.

The report of a run is in `compilelint.report.formats.run_text`; it shows its parts with what is here."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from compilelint.report.finding_words import effect_of, finding_notes, nature
from compilelint.report.model import Finding, Problem, Report
from compilelint.report.order import ordered_errors, ordered_findings
from compilelint.report.place import place, problem_place
from compilelint.report.summary import summary
from compilelint.report.terminal.cells import printable
from compilelint.report.terminal.frame import code_frame
from compilelint.report.terminal.paint import Paint, ansi, plain


def render(report: Report, *, color: bool = False, width: int = 80) -> str:
    """The whole report, ending in a newline. `width` is in terminal cells; `color` adds ANSI codes."""
    paint = ansi if color else plain
    blocks = ["\n".join(_finding(each, paint, width)) for each in ordered_findings(report.findings)]
    return _joined(blocks, report, paint)


def render_statistics(report: Report, *, color: bool = False) -> str:
    """How often each rule matched, the most frequent first, instead of each finding."""
    paint = ansi if color else plain
    return _joined(["\n".join(_statistics(report, paint))] if report.findings else [], report, paint)


def _joined(blocks: list[str], report: Report, paint: Paint) -> str:
    errors = "\n".join(error_line(each, paint) for each in ordered_errors(report.errors))
    return "\n\n".join([*blocks, *([errors] if errors else []), summary(report, paint)]) + "\n"


def _finding(finding: Finding, paint: Paint, width: int) -> Iterator[str]:
    message = printable(finding.message)
    yield f"{paint(f'{printable(place(finding))}:', 'path')} {paint(finding.code, finding.severity)} {message}"

    margin = " " * len(str(finding.line))
    label = f"{finding.severity}: {nature(finding)}"
    if finding.source_line.strip():
        yield from code_frame(
            finding.source_line,
            finding.line,
            finding.column,
            finding.end_column if finding.end_line == finding.line else None,
            label=label,
            role=finding.severity,
            paint=paint,
            width=width,
        )
    else:
        yield from note("effect", label, margin, paint, width)
    for title, text in finding_notes(finding):
        yield from note(title, text, margin, paint, width)


def note(title: str, text: str, margin: str, paint: Paint, width: int) -> list[str]:
    """`= title: text`, wrapped so that the text stays in its own column."""
    lead = f"{margin} = {title}: "
    lines = textwrap.wrap(
        printable(text),
        max(width - len(lead), 20),
        break_long_words=False,
        break_on_hyphens=False,
    )
    first = f"{margin} {paint('=', 'gutter')} {paint(f'{title}:', 'note')} "
    return [f"{' ' * len(lead) if index else first}{line}" for index, line in enumerate(lines)]


def error_line(problem: Problem, paint: Paint) -> str:
    """Where something went wrong, and what."""
    where = paint(f"{printable(problem_place(problem))}:", "path")
    return f"{where} {paint('error:', 'error')} {printable(problem.message)}"


def _statistics(report: Report, paint: Paint) -> Iterator[str]:
    names = {finding.code: finding.name for finding in report.findings}
    effects = {finding.code: effect_of(finding) for finding in report.findings}
    rows = sorted(report.by_code.items(), key=lambda row: (-row[1], row[0]))
    digits = max(len(str(count)) for _, count in rows)
    code_width = max(map(len, names))
    name_width = max(map(len, names.values()))
    for code, count in rows:
        padded = paint(code, "bold") + " " * (code_width - len(code))
        yield f"{count:>{digits}}  {padded}  {names[code]:<{name_width}}  {effects[code]}"
