from __future__ import annotations

import json

from compilelint.report.alerts import Alert, alerts, by_gravity, in_files
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation, report, run

OWN = StackFrame("src/model.py", 30, "Net.forward")
LIBRARY = "/env/lib/python3.11/site-packages/lib/code.py"


def of_run(*observations: Observation, findings: tuple[Finding, ...] = ()) -> tuple[Alert, ...]:
    return alerts(report(*findings, observations=observations, run=run()))


def test_findings_of_a_check_stand_where_they_are() -> None:
    first, second = alerts(report(finding(line=20, fingerprint="b"), finding()))
    assert (first.path, first.line, first.column, first.end_line, first.end_column) == ("src/model.py", 12, 17, 12, 31)
    assert (first.rule, first.message, first.help) == ("CL101", finding().message, finding().suggestion)
    assert (first.key, second.key) == ("0123456789abcdef:1", "b:1")
    assert first.confidence is Confidence.HIGH


def test_findings_that_share_a_fingerprint_have_keys_of_their_own() -> None:
    found = alerts(report(finding(), finding(message="once more")))
    assert [each.key for each in found] == ["0123456789abcdef:1", "0123456789abcdef:2"]


def test_of_a_run_only_what_it_did_is_an_alert() -> None:
    confirmed = finding(verdict="confirmed", end_line=13, end_column=5)
    refuted = finding(code="CL104", line=40, fingerprint="f", verdict="refuted")
    (only,) = of_run(observation(finding=confirmed.fingerprint), findings=(confirmed, refuted))
    assert (only.rule, only.verdict, only.fingerprint) == ("CL101", "confirmed", confirmed.fingerprint)
    assert (only.line, only.column, only.end_line, only.end_column) == (12, 17, 13, 5)


def test_what_no_rule_predicted_stands_at_its_line_with_a_fingerprint_that_lines_above_do_not_change() -> None:
    (one,), (moved,), (other,) = (
        of_run(each) for each in (observation(), observation(line=99), observation(source_line="y = x.item()"))
    )
    assert (one.rule, one.column, one.end_column) == ("CL901", 9, 31)
    assert one.fingerprint == moved.fingerprint != other.fingerprint


def test_the_values_of_another_run_leave_a_fingerprint_as_it_is() -> None:
    once, again = (
        of_run(observation(type="recompile", variable="started", title=f"started == {value}")) for value in (2.5, 3.5)
    )
    assert once[0].key == again[0].key


def test_what_happens_in_a_library_stands_at_the_users_line_and_says_where() -> None:
    (only,) = of_run(observation(path=LIBRARY, line=5, owner=OWN))
    assert (only.path, only.line, only.function) == ("src/model.py", 30, "Net.forward")
    assert only.message.endswith("(in lib/code.py:5)")
    assert only.end_column is None


def test_what_is_accepted_or_torchs_own_is_no_alert() -> None:
    assert of_run(observation(accepted=True), observation(line=3, severity="info")) == ()


def test_the_gravest_and_surest_come_first() -> None:
    found = [
        finding(line=1, severity="info"),
        finding(line=2, effect="none", severity="error"),
        finding(line=3, confidence=Confidence.MEDIUM),
        finding(line=4),
        finding(line=5, severity="error", confidence=Confidence.MEDIUM),
    ]
    assert [each.line for each in by_gravity(alerts(report(*found)))] == [5, 4, 3, 1, 2]


def test_what_is_in_a_cell_stands_at_the_line_of_the_notebooks_file() -> None:
    text = json.dumps({"cells": [{"source": ["import torch\n", "x.item()"]}]}, indent=1)
    inside = finding(path="a.ipynb", cell=1, line=2, end_line=2)
    (only,) = in_files(alerts(report(inside)), {"a.ipynb": text})
    assert "x.item()" in text.split("\n")[only.line - 1]
    assert (only.cell, only.column, only.end_column) == (None, 5, 15)
    assert only.source_line == '    "x.item()"'
    assert only.message.startswith("Cell 1, line 2: `x.sum()")


def test_what_is_in_a_cell_of_a_file_that_is_gone_stands_at_its_first_line() -> None:
    (only,) = in_files(alerts(report(finding(path="a.ipynb", cell=3))), {})
    assert (only.line, only.end_line) == (1, 1)


def test_what_has_no_columns_is_given_those_of_its_line_if_the_file_is_there() -> None:
    (told,) = of_run(observation(path=LIBRARY, line=5, owner=StackFrame("a.py", 2, "f")))
    assert in_files((told,), {}) == (told,)
    (placed,) = in_files((told,), {"a.py": "def f(x):\n    return g(x)\n"})
    assert (placed.column, placed.end_column, placed.source_line) == (5, 16, "    return g(x)")
