from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import compilelint
from compilelint.report.confidence import Confidence
from compilelint.report.formats.json import document, render
from compilelint.report.model import LibraryPlace, Problem, Report
from tests.report.make import OBSERVATION, RUN, finding, observation, report

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

FULL = report(
    finding(
        aggravated_by=("inside a `for` loop",),
        library=(LibraryPlace("library/layers.py", 7, 8, "Layer.forward"),),
        verdict="confirmed",
        confidence=Confidence.MEDIUM,
    ),
    finding(code="CL501", name="counter", effect="recompile", path="src/a.py", gb_ids=()),
    observations=(OBSERVATION,),
    run=RUN,
    errors=(Problem("src/b.py", "invalid syntax", 3), Problem("src/c.py", "permission denied")),
)


@pytest.mark.parametrize("each", [FULL, report()], ids=["full", "empty"])
def test_every_report_follows_the_documented_schema(each: Report) -> None:
    VALIDATOR.check_schema(SCHEMA)
    VALIDATOR.validate(json.loads(render(each)))


def test_the_schema_documents_every_field_and_demands_it() -> None:
    shown = document(FULL)
    definitions = SCHEMA["$defs"]
    for schema, value in [
        (SCHEMA, shown),
        (SCHEMA["properties"]["tool"], shown["tool"]),
        (SCHEMA["properties"]["summary"], shown["summary"]),
        (definitions["finding"], shown["findings"][0]),
        (definitions["library_place"], shown["findings"][1]["library"][0]),
        (definitions["observation"], shown["observations"][0]),
        (definitions["frame"], shown["observations"][0]["stack"][0]),
        (definitions["run"], shown["run"]),
        (definitions["cost"], shown["run"]["frames"][0]),
        (definitions["process"], shown["run"]["per_process"][0]),
        (definitions["moment"], shown["run"]["timeline"][0]),
        (definitions["budget"], shown["run"]["budgets"][0]),
        (definitions["error"], shown["errors"][0]),
    ]:
        assert set(value) == set(schema["properties"]) == set(schema["required"])


@pytest.mark.parametrize(
    "spoiled",
    [
        {"schema_version": 2},
        {"findings": [{"code": "CL101"}]},
        {"errors": [{"path": "a.py", "line": 0, "message": "x"}]},
        {"target_torch": "newest"},
    ],
)
def test_the_schema_refuses_what_is_not_a_report(spoiled: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(document(FULL) | spoiled)


def test_the_documented_example_follows_the_schema() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("```")[0])
    VALIDATOR.validate(example)


def test_each_observation_names_the_rule_to_read() -> None:
    predicted = observation(type="recompile", finding=finding().fingerprint)
    shown = document(report(finding(), observations=(OBSERVATION, predicted), run=RUN))["observations"]
    assert {each["type"]: each["code"] for each in shown} == {"graph-break": "CL901", "recompile": "CL101"}


def test_values_of_a_finding() -> None:
    first, second = document(FULL)["findings"]
    assert first["path"] == "src/a.py"
    assert second == {
        "code": "CL101",
        "name": "tensor-item",
        "effect": "graph-break",
        "severity": "warning",
        "confidence": "medium",
        "path": "src/model.py",
        "cell": None,
        "line": 12,
        "column": 17,
        "end_line": 12,
        "end_column": 31,
        "function": "Net.forward",
        "message": "`x.sum().item()` reads a tensor back into Python",
        "suggestion": "Keep the value a tensor (drop `.item()`).",
        "fix": None,
        "gb_ids": ["GB0124"],
        "reached_from": ["src/model.py:40 torch.compile(Net())", "Net.forward"],
        "aggravated_by": ["inside a `for` loop"],
        "library": [{"path": "library/layers.py", "line": 7, "end_line": 8, "function": "Layer.forward"}],
        "verdict": "confirmed",
        "fingerprint": "0123456789abcdef",
    }


def test_the_summary_counts() -> None:
    shown = document(FULL)
    assert shown["tool"] == {"name": "compilelint", "version": compilelint.__version__}
    assert shown["summary"] == {
        "files": 3,
        "functions_in_regions": 12,
        "findings": 2,
        "by_code": {"CL101": 1, "CL501": 1},
        "observations": 1,
        "in_baseline": 0,
        "on_unchanged_lines": 0,
        "duration_s": 0.314,
    }


def test_output_does_not_depend_on_the_order_of_arrival() -> None:
    one, two = finding(line=3), finding(line=9)
    assert render(report(one, two)) == render(report(two, one))


def test_output_is_ascii_whatever_the_source_holds() -> None:
    text = render(report(finding(message="`値.item()`", path="src/モデル.py")))
    assert text.isascii()
    assert json.loads(text)["findings"][0]["path"] == "src/モデル.py"
