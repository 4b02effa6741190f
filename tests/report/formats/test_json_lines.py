from __future__ import annotations

import json
from typing import Any

from compilelint.report.formats import Look
from compilelint.report.formats.json import document
from compilelint.report.formats.json_lines import render
from compilelint.report.model import Problem, Report
from tests.report.make import OBSERVATION, RUN, finding, report


def records(given: Report) -> list[dict[str, Any]]:
    return [json.loads(line) for line in render(given, Look()).splitlines()]


FULL = report(finding(message="`値`\n"), observations=(OBSERVATION,), run=RUN, errors=(Problem("b.py", "bad", 3),))


def test_every_line_is_an_object_that_says_what_it_is() -> None:
    assert [each["type"] for each in records(FULL)] == ["summary", "run", "finding", "observation", "error"]
    assert [each["type"] for each in records(report())] == ["summary"]


def test_records_are_those_of_the_json_report() -> None:
    whole = document(FULL)
    summary, run, finding_, observation, error = records(FULL)
    assert summary == {
        "type": "summary",
        "schema_version": whole["schema_version"],
        "tool": whole["tool"],
        "target_torch": whole["target_torch"],
        **whole["summary"],
    }
    assert run == {"type": "run", **whole["run"]}
    assert finding_ == {"type": "finding", **whole["findings"][0]}
    assert error == {"type": "error", **whole["errors"][0]}
    assert observation == {**whole["observations"][0], "type": "observation", "observation": "graph-break"}
