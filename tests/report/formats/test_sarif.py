from __future__ import annotations

import json
from typing import Any

import pytest

import compilelint
from compilelint.report.confidence import Confidence
from compilelint.report.formats import Look
from compilelint.report.formats.sarif import render, within
from compilelint.report.line_hash import line_hashes
from compilelint.report.model import LibraryPlace, Problem, Report, RulePage
from compilelint.report.sarif.limits import GITHUB, Limits
from compilelint.report.stack import StackFrame
from tests.report.formats.schemas import sarif_schema
from tests.report.make import finding, observation, report, run

PAGE = RulePage("CL101", "tensor-item", "graph-break", "warning", "`…` reads a tensor.", "# CL101 tensor-item\n\n…\n")


def only_run(given: Report) -> dict[str, Any]:
    log = json.loads(render(given, Look()).text)
    sarif_schema().validate(log)
    (found,) = log["runs"]
    return dict(found)


def only_result(given: Report) -> dict[str, Any]:
    (found,) = only_run(given)["results"]
    return dict(found)


def of_run(**changes: object) -> dict[str, Any]:
    return only_result(report(observations=(observation(**changes),), run=run()))


def test_the_tool_names_its_version_and_no_address_that_is_not_there() -> None:
    driver = only_run(report())["tool"]["driver"]
    assert driver == {"name": "compilelint", "semanticVersion": compilelint.__version__, "rules": []}


def test_check_and_run_are_categories_of_their_own() -> None:
    assert only_run(report())["automationDetails"] == {"id": "compilelint/check/"}
    assert only_run(report(run=run()))["automationDetails"] == {"id": "compilelint/trace/"}


def test_a_rule_carries_its_page() -> None:
    (rule,) = only_run(report(finding(confidence=Confidence.MEDIUM), rules=(PAGE,)))["tool"]["driver"]["rules"]
    assert rule == {
        "id": "CL101",
        "name": "TensorItem",
        "shortDescription": {"text": "Tensor item: graph break."},
        "fullDescription": {"text": "`…` reads a tensor."},
        "help": {"text": PAGE.page, "markdown": PAGE.page},
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "tags": ["torch.compile", "performance", "graph-break"],
            "precision": "medium",
            "problem.severity": "warning",
        },
    }


def test_a_result_has_a_full_region_and_its_line_around_it() -> None:
    result = only_result(report(finding(), rules=(PAGE,)))
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("CL101", 0, "warning")
    assert result["message"]["text"] == (
        "`x.sum().item()` reads a tensor back into Python. Keep the value a tensor (drop `.item()`)."
    )
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "src/model.py", "uriBaseId": "%SRCROOT%"},
                "region": {
                    "startLine": 12,
                    "startColumn": 17,
                    "endLine": 12,
                    "endColumn": 31,
                    "snippet": {"text": "x.sum().item()"},
                },
                "contextRegion": {
                    "startLine": 12,
                    "endLine": 12,
                    "snippet": {"text": "        scale = x.sum().item()"},
                },
            },
            "logicalLocations": [{"fullyQualifiedName": "Net.forward", "kind": "function"}],
        }
    ]


def test_columns_count_characters_and_say_so() -> None:
    wide = finding(source_line='s = "🙂" + x.item()', column=11, end_column=19)
    found = only_run(report(wide))
    assert found["columnKind"] == "unicodeCodePoints"
    region = found["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region["snippet"] == {"text": "x.item()"}


def test_the_hash_of_a_line_is_githubs_own_where_the_file_is_there() -> None:
    """Else an upload with GitHub's action warns of each result."""
    text = "\n" * 11 + "        scale = x.sum().item()\n"
    with_text = only_result(report(finding(), texts={"src/model.py": text}))["partialFingerprints"]
    without = only_result(report(finding()))["partialFingerprints"]
    assert with_text == {
        "primaryLocationLineHash": line_hashes(text, {12})[12],
        "compilelint/v1": "0123456789abcdef:1",
    }
    assert without == {"primaryLocationLineHash": "0123456789abcdef:1", "compilelint/v1": "0123456789abcdef:1"}


def test_of_one_rule_at_one_line_each_is_an_alert_of_its_own() -> None:
    pair = (finding(), finding(column=30, fingerprint="second"), finding(code="CL104", fingerprint="other"))
    results = only_run(report(*pair, texts={"src/model.py": "\n" * 12}))["results"]
    hashed = line_hashes("\n" * 12, {12})[12]
    assert [(each["ruleId"], each["partialFingerprints"]["primaryLocationLineHash"]) for each in results] == [
        ("CL101", hashed),
        ("CL104", hashed),
        ("CL101", f"{hashed}-2"),
    ]


def test_places_in_packages_and_the_start_of_the_route_are_related() -> None:
    result = only_result(report(finding(library=(LibraryPlace("lib/a b.py", 7, 8, "Layer.forward"),))))
    library, start = result["relatedLocations"]
    assert library["physicalLocation"] == {
        "artifactLocation": {"uri": "lib/a%20b.py", "uriBaseId": "%PACKAGES%"},
        "region": {"startLine": 7, "endLine": 8},
    }
    assert start["physicalLocation"]["region"] == {"startLine": 40}
    assert start["message"] == {"text": "From torch.compile(Net())"}
    assert [library["id"], start["id"]] == [0, 1]


def test_a_cause_carries_its_stack_as_a_flow() -> None:
    result = of_run(stack=(StackFrame("train.py", 40, "main"), StackFrame("/env/torch/nn.py", 5, "call")))
    (flow,) = result["codeFlows"]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    assert [step["physicalLocation"]["artifactLocation"] for step in steps] == [
        {"uri": "train.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "file:///env/torch/nn.py"},
    ]
    assert result["ruleId"] == "CL901"
    assert result["properties"]["hits"] == 3


def test_a_run_tells_what_it_did_and_not_what_it_did_not() -> None:
    confirmed = finding(verdict="confirmed")
    refuted = finding(line=30, fingerprint="r", verdict="refuted")
    accepted = observation(line=40, accepted=True)
    seen = observation(finding=confirmed.fingerprint)
    result = only_result(report(confirmed, refuted, observations=(seen, accepted), run=run()))
    assert (result["ruleId"], result["properties"]["verdict"]) == ("CL101", "confirmed")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/mod el#1?.py", "src/mod%20el%231%3F.py"),
        ("a:b.py", "a%3Ab.py"),
        ("モデル.py", "%E3%83%A2%E3%83%87%E3%83%AB.py"),
        ("a\udcff.py", "a%FF.py"),
        ("/abs/x y.py", "file:///abs/x%20y.py"),
        ("C:/abs/x.py", "file:///C:/abs/x.py"),
    ],
)
def test_paths_are_uris(path: str, uri: str) -> None:
    (location,) = only_result(report(finding(path=path)))["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_what_is_in_no_file_has_no_physical_place() -> None:
    for path in ("-", "<unknown>"):
        (location,) = only_result(report(finding(path=path)))["locations"]
        assert "physicalLocation" not in location


def test_a_cell_is_shown_at_its_line_of_the_notebook() -> None:
    text = json.dumps({"cells": [{"source": ["x.item()"]}]}, indent=1)
    result = only_result(report(finding(path="a.ipynb", cell=1, line=1, end_line=1), texts={"a.ipynb": text}))
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 5,
        "startColumn": 5,
        "endLine": 5,
        "endColumn": 15,
        "snippet": {"text": '"x.item()"'},
    }
    assert result["message"]["text"].startswith("Cell 1, line 1: `x.sum()")


def test_brackets_in_a_message_are_no_link() -> None:
    text = only_result(report(finding(message="`self.blocks[1](x)` breaks")))["message"]["text"]
    assert text.startswith("`self.blocks[1] (x)` breaks.")


def test_errors_are_notifications_of_a_run_that_did_not_succeed() -> None:
    problems = (Problem("b.py", "invalid syntax", 3), Problem("a.ipynb", "bad", 2, cell=4), Problem("-", "gone"))
    (invocation,) = only_run(report(errors=problems))["invocations"]
    assert not invocation["executionSuccessful"]
    told = invocation["toolExecutionNotifications"]
    assert [each["message"]["text"] for each in told] == ["Gone.", "Cell 4: bad.", "Invalid syntax."]
    assert told[2]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    (clean,) = only_run(report())["invocations"]
    assert clean == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_more_results_than_github_keeps_are_left_out_and_said() -> None:
    many = [finding(line=line, message=f"m{line}") for line in range(1, GITHUB.results + 10)]
    rendered = render(report(*many, finding(line=9_999, severity="error")), Look())
    (found,) = json.loads(rendered.text)["runs"]
    assert len(found["results"]) == GITHUB.results
    assert found["results"][0]["level"] == "error"
    assert rendered.left_out == "GitHub takes no more: 10 of 5010 results are left out, the gravest are here"
    (notification,) = found["invocations"][0]["toolExecutionNotifications"]
    assert notification == {"level": "warning", "message": {"text": f"{rendered.left_out}."}}


def test_a_file_that_is_too_long_loses_results_until_it_is_not() -> None:
    many = [finding(line=line, message=f"{line * 7919 % 9973} {line * 104729 % 99991}") for line in range(1, 400)]
    rendered = within(Limits(compressed=9_000), report(*many))
    results = json.loads(rendered.text)["runs"][0]["results"]
    assert 0 < len(results) < 399
    assert rendered.left_out.startswith(f"GitHub takes no more: {399 - len(results)} of 399 results")


def test_all_else_keeps_within_what_github_keeps() -> None:
    library = tuple(LibraryPlace("lib/a.py", line, line, "f") for line in range(1, 300))
    long = RulePage("CL101", "x" * 400, "graph-break", "warning", "m" * 2_000, "page")
    of_check = only_run(report(finding(library=library), rules=(long,)))
    (rule,) = of_check["tool"]["driver"]["rules"]
    assert len(of_check["results"][0]["relatedLocations"]) == GITHUB.locations
    assert len(rule["name"]) == GITHUB.name
    assert len(rule["fullDescription"]["text"]) == GITHUB.description
    assert len(rule["properties"]["tags"]) <= GITHUB.tags
    deep = of_run(stack=tuple(StackFrame("a.py", line, "f") for line in range(1, 3_000)))
    steps = deep["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(steps) == GITHUB.flow_locations
    assert steps[-1]["location"]["physicalLocation"]["region"] == {"startLine": 2_999}


def test_the_limits_are_those_that_github_documents() -> None:
    """docs.github.com: SARIF results exceed one or more limits; SARIF support for code scanning."""
    assert (
        Limits(
            results=5_000,
            locations=100,
            flow_locations=1_000,
            tags=10,
            name=255,
            description=1024,
            compressed=10_000_000,
        )
        == GITHUB
    )


def test_a_rule_without_a_page_has_what_github_demands() -> None:
    (rule,) = only_run(report(observations=(observation(),), run=run()))["tool"]["driver"]["rules"]
    told = {"text": "`.item()` reads a tensor's value back into Python."}
    assert {key: rule[key] for key in ("shortDescription", "fullDescription", "help")} == {
        "shortDescription": told,
        "fullDescription": told,
        "help": told,
    }
