"""JUnit XML: CI services show it among the results of tests.

There is a suite for the check, or the run, itself, whose cases pass if the report can be trusted and each budget is
kept, and one for each file with what is to be mended there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from compilelint import __version__
from compilelint.report.alerts import Alert, alerts
from compilelint.report.budgets import is_allowed
from compilelint.report.doubts import doubts
from compilelint.report.finding_words import finding_notes
from compilelint.report.formats import Look
from compilelint.report.model import Budget, Problem, Report, Run
from compilelint.report.order import ordered_errors
from compilelint.report.place import place, problem_place
from compilelint.report.summary import summary
from compilelint.report.words import amount

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OUTCOMES = ("failure", "error", "skipped")


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    classname: str
    outcome: str = ""
    """One of `_OUTCOMES`; empty if it passed."""
    kind: str = ""
    message: str = ""
    text: str = ""


def render(report: Report, look: Look) -> str:
    """One `testsuites` element; what budgets allow is skipped, not failed.

    Characters that XML cannot hold are escaped.
    """
    suites = [_suite("compilelint", [*_of_all(report)], report)]
    by_file: dict[str, list[_Case]] = {}
    for problem in ordered_errors(report.errors):
        by_file.setdefault(problem.path, []).append(_of_problem(problem))
    for alert in alerts(report):
        by_file.setdefault(alert.path, []).append(_of_alert(alert, report.run))
    suites += [_suite(path, _distinct(cases)) for path, cases in by_file.items()]
    root = ET.Element("testsuites", {"name": "compilelint", **_sums(suites), "time": f"{report.duration_s:.3f}"})
    root.extend(suites)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _sums(suites: Iterable[ET.Element]) -> dict[str, str]:
    return {name: str(sum(int(each.attrib[name]) for each in suites)) for name in ("tests", "failures", "errors")}


def _of_all(report: Report) -> Iterator[_Case]:
    if report.run is None:
        yield _Case("check", "compilelint", text=summary(report))
        return
    found = doubts(report)
    kind = "doubt" if found else ""
    yield _Case("run", "compilelint", "error" if found else "", kind, ". ".join(found), summary(report))
    for budget in report.run.budgets:
        yield _of_budget(budget)


def _of_budget(budget: Budget) -> _Case:
    message = f"found {amount(budget.found)}, {amount(budget.limit)} allowed"
    return _Case(f"budget {budget.name}", "compilelint", "failure" if budget.broken else "", "budget", message, message)


def _of_problem(problem: Problem) -> _Case:
    text = f"{problem_place(problem)}: {problem.message}"
    return _Case("can be checked", problem.path, "error", "error", problem.message, text)


def _of_alert(alert: Alert, run: Run | None) -> _Case:
    allowed = run is not None and alert.told is not None and is_allowed(alert.told.main, run.budgets)
    message = f"{alert.message} (no budget forbids it)" if allowed else alert.message
    return _Case(
        name=_name(alert),
        classname=alert.path,
        outcome="skipped" if allowed else "failure",
        kind=alert.rule,
        message=message,
        text="\n".join(_details(alert)),
    )


def _name(alert: Alert) -> str:
    """What stays the same from run to run: Dynamo's own words have values in them, and lines move."""
    what = alert.finding.message if alert.finding is not None else alert.source_line.strip()
    return " ".join(filter(None, (f"{alert.function}:" if alert.function else "", alert.rule, what)))


def _details(alert: Alert) -> Iterator[str]:
    yield f"{place(alert)}: {alert.rule} {alert.message}"
    if alert.source_line.strip():
        yield f"    {alert.source_line.strip()}"
    if alert.told is not None:
        yield f"cost: {alert.told.cost}"
    notes = alert.told.notes if alert.told is not None else finding_notes(alert.finding) if alert.finding else ()
    for title, text in notes:
        yield f"{title}: {text}"
    if alert.told is not None and alert.told.main.stack:
        yield "stack, innermost last:"
        yield from (f"  {each.path}:{each.line} {each.function}" for each in alert.told.main.stack)


def _distinct(cases: Iterable[_Case]) -> Iterator[_Case]:
    """Each with a name of its own: services take cases of one name for one."""
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.name] = seen.get(case.name, 0) + 1
        number = f" ({seen[case.name]})" if seen[case.name] > 1 else ""
        yield _Case(case.name + number, case.classname, case.outcome, case.kind, case.message, case.text)


def _suite(name: str, cases: Iterable[_Case], report: Report | None = None) -> ET.Element:
    given = list(cases)
    counts = {outcome: str(sum(each.outcome == outcome for each in given)) for outcome in _OUTCOMES}
    suite = ET.Element(
        "testsuite",
        {
            "name": _xml(name),
            "tests": str(len(given)),
            "failures": counts["failure"],
            "errors": counts["error"],
            "skipped": counts["skipped"],
        },
    )
    if report is not None:
        properties = ET.SubElement(suite, "properties")
        for key, value in _properties(report):
            ET.SubElement(properties, "property", {"name": key, "value": _xml(value)})
    suite.extend(map(_element, given))
    return suite


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    yield "compilelint", __version__
    yield "target torch", report.target_torch
    if report.run is not None:
        yield "program", report.run.program
        yield "torch", report.run.torch
        yield "ended", report.run.ended
        yield "compile seconds", f"{report.run.compile_seconds:.3f}"


def _element(case: _Case) -> ET.Element:
    element = ET.Element("testcase", {"name": _xml(case.name), "classname": _xml(case.classname)})
    tag = case.outcome or "system-out"
    attributes = {"type": _xml(case.kind), "message": _xml(case.message)} if case.outcome else {}
    ET.SubElement(element, tag, attributes).text = _xml(case.text)
    return element


def _xml(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
