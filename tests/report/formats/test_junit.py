from __future__ import annotations

from xml.etree import ElementTree as ET

from compilelint.report.formats import Look
from compilelint.report.formats.junit import render
from compilelint.report.model import Budget, Problem, Report
from tests.report.formats.schemas import junit_schema
from tests.report.make import finding, observation, report, run


def parsed(given: Report) -> ET.Element:
    text = render(given, Look())
    junit_schema().validate(text)
    return ET.fromstring(text)


def outcomes(root: ET.Element) -> dict[str, str]:
    return {case.attrib["name"]: case[0].tag for case in root.iter("testcase")}


def test_a_clean_check_is_one_test_that_passed() -> None:
    root = parsed(report())
    assert outcomes(root) == {"check": "system-out"}
    assert root.attrib == {"name": "compilelint", "tests": "1", "failures": "0", "errors": "0", "time": "0.314"}
    assert {each.attrib["name"] for each in root.iter("property")} == {"compilelint", "target torch"}


def test_each_finding_is_a_failed_test_of_its_file() -> None:
    root = parsed(report(finding(), finding(line=20), finding(path="a.py"), errors=(Problem("b.py", "bad", 3),)))
    assert {each.attrib["name"]: (each.attrib["failures"], each.attrib["errors"]) for each in root} == {
        "compilelint": ("0", "0"),
        "b.py": ("0", "1"),
        "a.py": ("1", "0"),
        "src/model.py": ("2", "0"),
    }
    first, second = root.findall("testsuite[@name='src/model.py']/testcase")
    assert first.attrib["name"] == "Net.forward: CL101 `x.sum().item()` reads a tensor back into Python"
    assert second.attrib["name"] == f"{first.attrib['name']} (2)"
    assert first[0].attrib["type"] == "CL101"
    assert (first[0].text or "").splitlines()[:2] == [
        "src/model.py:12:17: CL101 `x.sum().item()` reads a tensor back into Python",
        "    scale = x.sum().item()",
    ]
    assert "help: Keep the value a tensor (drop `.item()`)." in (first[0].text or "")


def test_of_a_run_budgets_are_tests_and_causes_failures_with_their_stack() -> None:
    budgets = (Budget("max-breaks", 0, 1), Budget("max-compile-seconds", 9, 1.5))
    root = parsed(report(observations=(observation(),), run=run(budgets=budgets)))
    assert outcomes(root) == {
        "run": "system-out",
        "budget max-breaks": "failure",
        "budget max-compile-seconds": "system-out",
        "Net.forward: CL901 scale = x.sum().item()": "failure",
    }
    assert "\n  train.py:40 main\n  src/model.py:12 forward" in (root[1][0][0].text or "")


def test_what_budgets_allow_is_skipped() -> None:
    root = parsed(report(observations=(observation(),), run=run(budgets=(Budget("max-breaks", 3, 1),))))
    assert outcomes(root)["Net.forward: CL901 scale = x.sum().item()"] == "skipped"
    assert root.attrib["failures"] == "0"


def test_a_run_that_proves_nothing_is_an_error() -> None:
    root = parsed(report(run=run(compilations=0, compile_calls=0, budgets=())))
    assert outcomes(root) == {"run": "error"}


def test_whatever_messages_hold_it_is_valid_xml() -> None:
    hostile = finding(path='a\udc80<&".py', message="]]>\x00\x1b\ufffe\ud800 &amp; 値🙂\n", function="f\x07")
    root = parsed(report(hostile, errors=(Problem("b\x01.py", "bad\x02"),)))
    names = [case.attrib["name"] for case in root.iter("testcase")]
    assert names[-1] == "f\\u0007: CL101 ]]>\\u0000\\u001b\\ufffe\\ud800 &amp; 値🙂\n"
