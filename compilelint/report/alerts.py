"""What is to be mended, each with one place: what services for code show, and lists of one line each.

Of a check these are the findings. Of a run they are the causes of what it did; what a check found besides, and the run
did not show, belongs to the report of the check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compilelint.report.confidence import Confidence
from compilelint.report.fingerprint import fingerprint
from compilelint.report.follows import short_path
from compilelint.report.model import SEVERITIES, Finding, Report, Run, Severity, Verdict
from compilelint.report.notebook_lines import cell_lines
from compilelint.report.order import ordered_findings
from compilelint.report.stack import StackFrame
from compilelint.report.summary import is_about_comments
from compilelint.report.telling import Told, causes_of, is_inner, told


@dataclass(frozen=True, slots=True)
class Alert:
    """Something to mend, at the place to look at."""

    rule: str
    """The code of the rule to read about it."""
    severity: Severity
    message: str
    """One sentence, without a full stop."""
    help: str
    """What to do about it; may be empty."""
    path: str
    cell: int | None
    line: int
    column: int
    end_line: int
    end_column: int | None
    """None if the line is not known."""
    function: str
    source_line: str
    fingerprint: str
    ordinal: int = 1
    """Which of those with this fingerprint it is."""
    finding: Finding | None = None
    """The finding, or what predicted the cause."""
    told: Told | None = None
    """The cause, if it is one."""

    @property
    def key(self) -> str:
        """What tells it from all others of its report, and stays the same from report to report."""
        return f"{self.fingerprint}:{self.ordinal}"

    @property
    def confidence(self) -> Confidence:
        """How sure it is: what a run did is."""
        return self.finding.confidence if self.finding is not None and self.told is None else Confidence.HIGH

    @property
    def verdict(self) -> Verdict | None:
        if self.told is not None:
            return "confirmed" if self.finding is not None else self.told.main.verdict
        return self.finding.verdict if self.finding is not None else None


def alerts(report: Report) -> tuple[Alert, ...]:
    """Those of a report: of a check by place, of a run the most expensive first.

    What comments accept, and what torch does to itself, is left out.
    """
    every = _of_findings(report) if report.run is None else _of_causes(report, report.run)
    return tuple(_numbered(every))


def by_gravity(given: Iterable[Alert]) -> tuple[Alert, ...]:
    """The gravest and surest first, else in the order given; what is about comments only comes last."""
    return tuple(
        sorted(
            given,
            key=lambda each: (
                each.finding is not None and is_about_comments(each.finding),
                SEVERITIES.index(each.severity),
                -each.confidence,
            ),
        )
    )


def in_files(given: Iterable[Alert], texts: Mapping[str, str]) -> tuple[Alert, ...]:
    """The same for services that show files, and know of no cells: of notebooks the lines are those of the file.

    What has no columns, or lost them so, is given those of its whole line. `texts` are those of the files, by path; in
    a notebook whose text is missing everything stands at the first line.
    """
    every = tuple(given)
    cells = {path: cell_lines(texts.get(path, "")) for path in {each.path for each in every if each.cell is not None}}
    placed = [each if each.cell is None else _in_file(each, each.cell, cells[each.path]) for each in every]
    lines = {path: texts.get(path, "").split("\n") for path in {each.path for each in placed if not each.end_column}}
    return tuple(each if each.end_column else _whole_line(each, lines[each.path]) for each in placed)


def _whole_line(alert: Alert, lines: Sequence[str]) -> Alert:
    if not 0 < alert.line <= alert.end_line <= len(lines):
        return alert
    first, last = lines[alert.line - 1].rstrip(), lines[alert.end_line - 1].rstrip()
    column = len(first) - len(first.lstrip()) + 1
    return replace(alert, column=column, end_column=len(last) + 1, source_line=first)


def _in_file(alert: Alert, cell: int, lines: Mapping[int, tuple[int, ...]]) -> Alert:
    of_cell = lines.get(cell, ())
    first, last = (of_cell[min(line, len(of_cell)) - 1] if of_cell else 1 for line in (alert.line, alert.end_line))
    return replace(
        alert,
        message=f"Cell {cell}, line {alert.line}: {alert.message}",
        cell=None,
        line=first,
        column=1,
        end_line=last,
        end_column=None,
        source_line="",
    )


def _numbered(given: Iterable[Alert]) -> Iterator[Alert]:
    seen: dict[str, int] = {}
    for each in given:
        seen[each.fingerprint] = seen.get(each.fingerprint, 0) + 1
        yield replace(each, ordinal=seen[each.fingerprint])


def _of_findings(report: Report) -> Iterator[Alert]:
    for each in ordered_findings(report.findings):
        yield Alert(
            rule=each.code,
            severity=each.severity,
            message=each.message,
            help=each.suggestion,
            path=each.path,
            cell=each.cell,
            line=each.line,
            column=each.column,
            end_line=each.end_line,
            end_column=each.end_column,
            function=each.function,
            source_line=each.source_line,
            fingerprint=each.fingerprint,
            finding=each,
        )


def _of_causes(report: Report, run: Run) -> Iterator[Alert]:
    findings = {each.fingerprint: each for each in report.findings}
    for cause in causes_of(report):
        if not is_inner(cause):
            yield _of_cause(told(cause, findings, run))


def _of_cause(telling: Told) -> Alert:
    main, finding = telling.main, telling.finding
    owner = main.owner
    subject = finding.fingerprint if finding else _fingerprint(telling, owner)
    alert = Alert(
        rule=telling.rule,
        severity=main.severity,
        message=telling.said,
        help=dict(telling.notes).get("help", ""),
        path=main.path,
        cell=None,
        line=main.line,
        column=telling.columns[0],
        end_line=main.line,
        end_column=telling.columns[1] or (len(main.source_line.rstrip()) + 1 if main.source_line.strip() else None),
        function=main.function,
        source_line=main.source_line,
        fingerprint=subject,
        finding=finding,
        told=telling,
    )
    if finding is not None and (finding.path, finding.line) == (main.path, main.line):
        return replace(
            alert,
            cell=finding.cell,
            end_line=finding.end_line,
            end_column=finding.end_column,
            function=finding.function,
        )
    if owner is not None and owner.path != main.path:
        # In somebody else's code: the user's line that led there is the one to look at.
        return replace(
            alert,
            message=f"{alert.message} (in {short_path(main.path)}:{main.line})",
            path=owner.path,
            line=owner.line,
            column=1,
            end_line=owner.line,
            end_column=None,
            function=owner.function,
            source_line="",
        )
    return alert


def _fingerprint(telling: Told, owner: StackFrame | None) -> str:
    """Like that of a finding: lines added above leave it as it is, and so do the values of another run."""
    main = telling.main
    at = owner if owner is not None else StackFrame(main.path, main.line, main.function)
    what = main.title if main.type == "graph-break" else main.variable
    return fingerprint(telling.rule, at.path, at.function, f"{main.source_line}{what}")
