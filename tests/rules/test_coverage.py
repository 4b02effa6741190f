"""docs/coverage.md names rules that exist, each break type once, and claims no evidence that was not measured."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.rules.pages import readable_rules
from tools.update_coverage import rewritten, rules_by_id

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
TEXT = PAGE.read_text(encoding="utf-8")
STATIC = 132
"""Break types of torch 2.13 and 2.15 that were judged to be visible in source."""
RULES = {rule.code: rule for _, rule in readable_rules()}


def section(title: str) -> str:
    """The text under a heading, to the next one of any level."""
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found is not None, f"no section {title!r}"
    return found[1]


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[1:]]


def codes(text: str) -> list[str]:
    return re.findall(r"CL\d{3}", text)


def gb_ids_of(code: str) -> frozenset[str]:
    """All ids that Dynamo gave to the examples of a rule, on any version and in any mode."""
    return frozenset(
        gb_id
        for versions in RULES[code].evidence.values()
        for modes in versions.values()
        for outcome in modes.values()
        for gb_id in outcome.gb_ids
    )


REGISTRY = rows("Break types of Dynamo's registry")
IN_PART = rows("Break types that source shows in part")
CLAIMS = [(row[0], code) for row in (*REGISTRY, *IN_PART) for code in codes(row[2])]


def test_every_rule_that_is_named_exists() -> None:
    assert sorted(set(codes(TEXT)) - RULES.keys()) == []


def test_every_break_type_that_source_shows_stands_there_once() -> None:
    counts = Counter(row[0] for row in (*REGISTRY, *IN_PART))
    assert [gb_id for gb_id, count in counts.items() if count > 1] == []
    assert len(REGISTRY) == STATIC


@pytest.mark.parametrize("row", REGISTRY, ids=lambda row: row[0])
def test_every_break_type_has_a_rule_or_a_reason(row: list[str]) -> None:
    gb_id, name, rules, note = row
    assert re.fullmatch(r"GB\d{4}", gb_id)
    assert name
    assert codes(rules) or note
    assert not (codes(rules) and note.startswith("no rule"))


@pytest.mark.parametrize(("gb_id", "code"), CLAIMS)
def test_a_rule_with_evidence_of_a_break_type_was_measured_to_have_it(gb_id: str, code: str) -> None:
    assert gb_id in gb_ids_of(code)


@pytest.mark.parametrize(
    "title", ["Groups of hazards", "What users ask for", "Systems of the release notes, 2.5 to 2.9"]
)
def test_every_row_names_a_rule_or_says_why_none(title: str) -> None:
    found = rows(title)
    assert len(found) > 10
    unsaid = [row[0] for row in found if not codes(" ".join(row[1:])) and not re.search(r"\w{4}", " ".join(row[1:]))]
    assert unsaid == []


def test_the_rules_of_each_break_type_are_those_that_have_it() -> None:
    assert rewritten(TEXT, rules_by_id(RULES.values())) == TEXT, "run tools/update_coverage.py"
