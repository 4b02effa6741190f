from __future__ import annotations

from dataclasses import replace

from compilelint.catalog.describe import (
    gb_ids,
    modes_held,
    rule_markdown,
    rule_page,
    rule_record,
    versions_held,
)
from compilelint.catalog.model import Outcome
from compilelint.catalog.pages import parse_page
from tests.catalog.make import PAGE, PATH

BREAKS = {"default": Outcome(True, (4,), ("GB0124",), "item"), "fullgraph": Outcome(False)}
RULE = replace(
    parse_page(PAGE, PATH),
    evidence={
        "item": {"2.9.1": {"default": Outcome(False)}, "2.13.0": BREAKS},
        "keep-tensor": {"2.9.1": {"default": Outcome(True)}},
    },
)


def test_holds_where_an_example_of_a_match_breaks() -> None:
    assert versions_held(RULE) == ("2.13.0",)
    assert modes_held(RULE, "2.13.0") == ("default",)
    assert modes_held(RULE, "2.9.1") == ()


def test_gb_ids_are_those_of_the_version() -> None:
    assert gb_ids(RULE, "2.13.0") == ("GB0124",)
    assert gb_ids(RULE, "2.9.1") == ()


def test_the_page_says_what_was_measured_and_which_examples_are_hazards() -> None:
    text = rule_markdown(RULE, "2.13.0")
    assert text.startswith(
        "# CL101 tensor-item\n\n`…` reads a tensor back into Python.\n\nKeep the value a tensor.\n\n- Effect: "
    )
    assert "- Holds on torch 2.13\n- On torch 2.13 it holds in: default\n" in text
    assert "| item: `return x * x.sum().item()` | 2.13 | - |\n" in text
    assert "GB0124" in text
    assert "Hazard, item:\n\n```python\nimport torch" in text
    assert "Clean, keep tensor:\n\n```python\nimport torch" in text


def test_the_page_of_the_documentation_is_for_every_torch() -> None:
    text = rule_page(RULE)
    assert "- Holds on torch 2.13\n- Dynamo's own names for it: GB0124\n" in text
    assert "it holds in" not in text


def test_a_rule_without_a_match_holds_where_its_hazards_show() -> None:
    assert versions_held(replace(RULE, matches=())) == ("2.13.0",)


def test_a_rule_that_was_not_measured_says_so_and_has_no_table() -> None:
    text = rule_page(replace(RULE, evidence={}))
    assert "- Holds on no measured version of torch\n" in text
    assert "line by line" not in text


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
