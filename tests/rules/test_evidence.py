"""rules/evidence.json belongs to the pages as they are now."""

from __future__ import annotations

import json

import pytest

from compilelint.catalog import Example, Rule, measured_versions
from compilelint.catalog.evidence import format_evidence, source_hash
from tests.rules.pages import EVIDENCE_FILE, example_id, examples, readable_rules

RAW = json.loads(EVIDENCE_FILE.read_text(encoding="utf-8"))
NEWEST = measured_versions(rule for _, rule in readable_rules())[-1]


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_example_was_measured_as_it_is_now(rule: Rule, example: Example) -> None:
    versions = RAW.get(rule.code, {}).get(example.name, {})
    assert NEWEST in versions, "run tools/measure_evidence.py"
    for version, measured in versions.items():
        assert measured["source"] == source_hash(example), f"torch {version}: run tools/measure_evidence.py"


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_a_hazard_shows_in_some_mode_and_a_clean_example_not_by_default(rule: Rule, example: Example) -> None:
    modes = rule.evidence.get(example.name, {}).get(NEWEST)
    if modes is None:
        pytest.skip("not measured, which another test says")
    if example.hazard:
        assert any(outcome.hazard for outcome in modes.values())
    else:
        assert not modes["default"].hazard


def test_no_evidence_of_what_is_gone() -> None:
    existing = {(rule.code, example.name) for rule, example in examples()}
    assert {(code, name) for code, named in RAW.items() for name in named} <= existing


def test_evidence_is_formatted_so_that_diffs_merge() -> None:
    assert EVIDENCE_FILE.read_text(encoding="utf-8") == format_evidence(RAW)
