"""rules/evidence.json belongs to the pages as they are now, and to each version of torch that it is kept for."""

from __future__ import annotations

import pytest

from compilelint.authoring.subjects import subjects
from compilelint.catalog import Example, Rule
from compilelint.catalog.evidence import format_evidence, lines_shown, read_raw, source_hash
from tests.rules.pages import EVIDENCE_FILE, example_id, examples, readable_rules
from tools.measure_evidence import TORCHES

RAW = read_raw(EVIDENCE_FILE.read_text(encoding="utf-8"))
CI = "2.13.0"
"""The version by which pages are judged in CI."""


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_example_was_measured_as_it_is_now_on_every_torch(rule: Rule, example: Example) -> None:
    measured = RAW.get(rule.code, {}).get(example.name, {"source": "", "measured": {}})
    assert measured["source"] == source_hash(example), "run tools/measure_evidence.py --all"
    assert sorted(measured["measured"]) == sorted(TORCHES), "run tools/measure_evidence.py --all"


@pytest.mark.parametrize(("rule", "example"), [pair for pair in examples() if pair[1].hazard], ids=example_id)
def test_each_mark_is_shown_by_some_torch_in_some_mode(rule: Rule, example: Example) -> None:
    assert {line for line, _, _ in example.marks} <= lines_shown(rule, example.name)


@pytest.mark.parametrize(("rule", "example"), [pair for pair in examples() if not pair[1].hazard], ids=example_id)
def test_a_clean_example_is_clean_by_default(rule: Rule, example: Example) -> None:
    assert not rule.evidence[example.name][CI]["default"].hazard


@pytest.mark.parametrize("rule", [rule for _, rule in readable_rules()], ids=example_id)
def test_what_proves_which_callee_is_what_the_checker_finds_today(rule: Rule) -> None:
    found = subjects(rule)
    assert {name: RAW[rule.code][name]["proofs"] for name in found} == found, "run tools/measure_evidence.py --proofs"


def test_no_evidence_of_what_is_gone() -> None:
    existing = {(rule.code, example.name) for rule, example in examples()}
    assert {(code, name) for code, named in RAW.items() for name in named} <= existing


def test_evidence_is_formatted_so_that_diffs_merge() -> None:
    assert EVIDENCE_FILE.read_text(encoding="utf-8") == format_evidence(RAW)
