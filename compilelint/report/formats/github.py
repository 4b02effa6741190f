"""Workflow commands of GitHub Actions: annotations at the lines of a pull request, and a log that reads well.

GitHub shows ten annotations of each level for a step and drops the rest (actions/toolkit, docs/problem-matchers.md). So
the gravest ten are commands, the others lines of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compilelint.report.alerts import Alert, alerts, by_gravity, in_files
from compilelint.report.doubts import doubts, remarks
from compilelint.report.formats import Look, Rendered
from compilelint.report.model import Budget, Problem, Report, Severity
from compilelint.report.order import ordered_errors
from compilelint.report.place import place, problem_place
from compilelint.report.summary import summary
from compilelint.report.terminal.cells import printable
from compilelint.report.words import amount, counted

SHOWN_OF_A_LEVEL = 10
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


@dataclass(frozen=True, slots=True)
class _Note:
    level: str
    title: str
    text: str
    path: str = ""
    line: int | None = None
    end_line: int | None = None
    column: int | None = None
    """Columns are only taken for what stands on one line."""
    end_column: int | None = None


def render(report: Report, look: Look) -> Rendered:
    """The commands, the gravest first, then all else, then the summary. Paths must be those of the repository."""
    told = in_files(by_gravity(alerts(report)), report.texts)
    notes = [
        *(_of_problem(each) for each in ordered_errors(report.errors)),
        *(_Note("error", "compilelint", each) for each in doubts(report)),
        *(_of_budget(each) for each in (report.run.budgets if report.run else ()) if each.broken),
        *map(_of_alert, told),
    ]
    shown, rest = _parted(notes)
    last = [*(f"note: {each}" for each in remarks(report)), summary(report)]
    lines = [*map(_command, shown), *_in_log(rest), *(_harmless(printable(each)) for each in last)]
    left_out = f"GitHub shows {SHOWN_OF_A_LEVEL} annotations of each level: {len(rest)} more are only in the log"
    return Rendered("".join(f"{line}\n" for line in lines), left_out if rest else "")


def _parted(notes: Iterable[_Note]) -> tuple[list[_Note], list[_Note]]:
    shown: list[_Note] = []
    rest: list[_Note] = []
    counts: dict[str, int] = {}
    for note in notes:
        counts[note.level] = counts.get(note.level, 0) + 1
        (shown if counts[note.level] <= SHOWN_OF_A_LEVEL else rest).append(note)
    return shown, rest


def _in_log(rest: Sequence[_Note]) -> Iterator[str]:
    if rest:
        yield f"::group::{counted(len(rest), 'more alert')}, which GitHub does not show as annotations"
        for note in rest:
            yield _harmless(f"- {printable(note.text.partition(chr(10))[0])}")
        yield "::endgroup::"


def _of_alert(alert: Alert) -> _Note:
    one_line = alert.line == alert.end_line and alert.end_column is not None
    name = f" {alert.finding.name}" if alert.finding is not None else ""
    text = f"{place(alert)}: {alert.rule} {alert.message}"
    return _Note(
        level=_LEVELS[alert.severity],
        title=f"{alert.rule}{name}",
        text=f"{text}\n{alert.help}" if alert.help else text,
        path=alert.path,
        line=alert.line,
        end_line=alert.end_line,
        column=alert.column if one_line else None,
        end_column=alert.end_column if one_line else None,
    )


def _of_problem(problem: Problem) -> _Note:
    line = problem.line if problem.cell is None else None
    text = f"{problem_place(problem)}: error: {problem.message}"
    return _Note("error", "compilelint could not check this", text, problem.path, line)


def _of_budget(budget: Budget) -> _Note:
    return _Note(
        "error", f"budget {budget.name}", f"budget {budget.name} = {amount(budget.limit)}: found {amount(budget.found)}"
    )


def _command(note: _Note) -> str:
    # Standard input and code that was made at run time have no file.
    path = "" if note.path == "-" or note.path.startswith("<") else note.path
    properties = {
        "file": path,
        "line": note.line if path else None,
        "endLine": note.end_line if path else None,
        "col": note.column if path else None,
        "endColumn": note.end_column if path else None,
        "title": note.title,
    }
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value)
    return f"::{note.level} {given}::{_data(note.text)}"


def _data(text: str) -> str:
    lines = (printable(line) for line in text.split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _harmless(line: str) -> str:
    """Without what a runner takes for a command of the old form, which may stand anywhere in a line."""
    return line.replace("##[", "## [")
