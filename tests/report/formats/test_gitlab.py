from __future__ import annotations

import json
from typing import Any

import jsonschema

from compilelint.report.confidence import Confidence
from compilelint.report.formats import Look
from compilelint.report.formats.gitlab import render
from compilelint.report.model import Problem, Report
from tests.report.formats.schemas import GITLAB
from tests.report.make import finding, observation, report, run


def issues(given: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render(given, Look()))
    for each in found:
        jsonschema.validate(each, GITLAB)
    return found


def test_a_finding_is_an_issue_with_the_fields_that_gitlab_reads() -> None:
    (issue,) = issues(report(finding(end_line=13)))
    fingerprint = issue.pop("fingerprint")
    assert len(fingerprint) == 32
    assert issue == {
        "type": "issue",
        "check_name": "CL101",
        "description": "CL101 `x.sum().item()` reads a tensor back into Python",
        "content": {"body": "Keep the value a tensor (drop `.item()`)."},
        "categories": ["Performance"],
        "severity": "major",
        "location": {"path": "src/model.py", "lines": {"begin": 12, "end": 13}},
    }


def test_fingerprints_are_unique_and_stay_when_lines_are_added_above() -> None:
    pair = [finding(line=12), finding(line=20)]
    first = [each["fingerprint"] for each in issues(report(*pair))]
    moved = [each["fingerprint"] for each in issues(report(*(finding(line=each.line + 50) for each in pair)))]
    assert len(set(first)) == 2
    assert first == moved


def test_severities() -> None:
    found = issues(
        report(
            finding(severity="error"),
            finding(line=13),
            finding(line=14, confidence=Confidence.MEDIUM),
            finding(line=15, severity="info"),
            errors=(Problem("b.py", "invalid syntax", 3), Problem("a.ipynb", "bad", 2, cell=4)),
        )
    )
    assert [each["severity"] for each in found] == ["blocker", "blocker", "critical", "major", "minor", "info"]
    assert [each["location"]["lines"]["begin"] for each in found[:2]] == [1, 3]
    assert found[0]["description"] == "could not be checked: cell 4: bad"


def test_causes_of_a_run_are_issues() -> None:
    (issue,) = issues(report(observations=(observation(),), run=run()))
    assert (issue["check_name"], issue["severity"]) == ("CL901", "major")


def test_nothing_found_is_an_empty_array() -> None:
    assert issues(report()) == []
