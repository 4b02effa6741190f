from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.catalog import TargetError
from compilelint.catalog.evidence import parse_evidence, source_hash, with_evidence
from compilelint.catalog.pages import parse_page
from compilelint.catalog.pythons import nearest_file, on_python, resolve_python, running_python
from tests.catalog.make import PAGE, PATH

PAGE_RULE = parse_page(PAGE, PATH)
SOURCE = next(source_hash(example) for example in PAGE_RULE.examples if example.name == "item")


def evidence(source: str = SOURCE, **lines: list[int]) -> str:
    """What was measured of the page's example, by torch (`v2_13_0`): the lines at which it broke."""
    measured = {
        version[1:].replace("_", "."): {"default": {"hazard": bool(found), "lines": found}}
        for version, found in lines.items()
    }
    return json.dumps({"CL101": {"item": {"source": source, "measured": measured}}})


RULE = with_evidence(
    PAGE_RULE, parse_evidence(evidence(v2_5_1=[], v2_9_1=[4], v2_10_0=[4], v2_12_1=[4], v2_13_0=[4]))["CL101"]
)


def lines_on(differing: str) -> dict[str, tuple[int, ...]]:
    (rule,) = on_python([RULE], parse_evidence(differing))
    return {version: modes["default"].lines for version, modes in rule.evidence["item"].items()}


def test_what_differs_is_taken_to_differ_with_each_torch_that_does_the_same_on_the_usual_python() -> None:
    assert lines_on(evidence(v2_13_0=[])) == {"2.5.1": (), "2.9.1": (), "2.10.0": (), "2.12.1": (), "2.13.0": ()}
    assert lines_on(evidence(v2_5_1=[5])) == {
        "2.5.1": (5,),
        "2.9.1": (4,),
        "2.10.0": (4,),
        "2.12.1": (4,),
        "2.13.0": (4,),
    }


def test_what_was_measured_decides_and_the_nearest_for_what_was_not() -> None:
    measured = evidence(v2_9_1=[5], v2_13_0=[])
    assert lines_on(measured) == {"2.5.1": (), "2.9.1": (5,), "2.10.0": (5,), "2.12.1": (), "2.13.0": ()}


def test_of_an_example_whose_text_is_another_now_nothing_differs() -> None:
    assert set(lines_on(evidence("another", v2_13_0=[]))["2.13.0"]) == {4}


def test_of_a_rule_that_is_gone_nothing_is_left() -> None:
    assert on_python([], parse_evidence(evidence(v2_13_0=[]))) == ()


@pytest.mark.parametrize(
    ("python", "found"),
    [
        ("3.9", None),
        ("3.10", "evidence-3.10.json"),
        ("3.11", None),  # evidence.json is of this one
        ("3.12", None),
        ("3.13", "evidence-3.13.json"),
        ("3.14", "evidence-3.13.json"),
    ],
)
def test_the_newest_python_decides_that_is_not_newer(python: str, found: str | None, tmp_path: Path) -> None:
    for name in ("evidence.json", "evidence-3.10.json", "evidence-3.13.json", "evidence-old.json"):
        (tmp_path / name).touch()
    assert nearest_file(tmp_path, python) == (tmp_path / found if found else None)


def test_a_release_is_what_counts() -> None:
    assert resolve_python("3.12") == resolve_python("3.12.1") == "3.12"
    assert resolve_python(None) == running_python()


@pytest.mark.parametrize("asked", ["new", "3", "2.7", "3.x", ""])
def test_what_is_no_python_is_refused(asked: str) -> None:
    with pytest.raises(TargetError, match="is not a Python version"):
        resolve_python(asked)
