from __future__ import annotations

import pytest

from compilelint.catalog.describe import (
    gb_ids,
    modes_held,
    rule_markdown,
    rule_record,
    version_ranges,
    versions_held,
)
from compilelint.catalog.model import Outcome
from compilelint.catalog.pages import parse_page
from tests.catalog.make import PAGE, PATH

BREAKS = {"default": Outcome(True, (4,), ("GB0124",), "item"), "fullgraph": Outcome(False)}
RULE = parse_page(
    PAGE,
    PATH,
    {
        "item": {"2.9.1": {"default": Outcome(False)}, "2.13.0": BREAKS},
        "keep-tensor": {"2.9.1": {"default": Outcome(True)}},
    },
)
MEASURED = ("2.5.1", "2.6.0", "2.7.1", "2.9.1", "2.13.0")


def test_holds_where_an_example_of_a_match_breaks() -> None:
    assert versions_held(RULE) == ("2.13.0",)
    assert modes_held(RULE, "2.13.0") == ("default",)
    assert modes_held(RULE, "2.9.1") == ()


def test_gb_ids_are_those_of_the_version() -> None:
    assert gb_ids(RULE, "2.13.0") == ("GB0124",)
    assert gb_ids(RULE, "2.9.1") == ()


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ((), ""),
        (("2.6.0",), "2.6"),
        (("2.5.1", "2.6.0", "2.9.1"), "2.5-2.6, 2.9"),
        (("2.5.1", "2.7.1", "2.9.1", "2.13.0"), "2.5, 2.7-2.13"),
        (MEASURED, "2.5-2.13"),
    ],
)
def test_versions_are_told_as_ranges_over_what_was_measured(held: tuple[str, ...], text: str) -> None:
    assert version_ranges(held, MEASURED) == text


def test_the_page_says_what_was_measured_and_which_examples_are_hazards() -> None:
    text = rule_markdown(RULE, "2.13.0")
    assert text.startswith("# CL101 tensor-item\n\n`…` reads a tensor back into Python.\n")
    assert "- Holds on torch 2.13; on 2.13 in: default\n" in text
    assert "GB0124" in text
    assert "Hazard, item:\n\n```python\nimport torch" in text
    assert "Clean, keep tensor:\n\n```python\nimport torch" in text


def test_the_record_holds_all_evidence() -> None:
    record = rule_record(RULE)
    assert record["holds"] == {"2.13.0": ["default"]}
    assert record["evidence"] == {
        "item": {
            "2.9.1": {"default": {"hazard": False}},
            "2.13.0": {
                "default": {"hazard": True, "lines": [4], "gb_ids": ["GB0124"], "reason": "item"},
                "fullgraph": {"hazard": False},
            },
        },
        "keep-tensor": {"2.9.1": {"default": {"hazard": True}}},
    }
