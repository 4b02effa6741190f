from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.catalog import SelectionError, find_rule, select
from compilelint.catalog.pages import parse_page
from tests.catalog.make import PAGE, PATH

ITEM = parse_page(PAGE, PATH)
RULES = (
    ITEM,
    replace(ITEM, code="CL102", name="tensor-tolist"),
    replace(ITEM, code="CL201", name="print"),
)


def codes(**options: list[str]) -> list[str]:
    return [rule.code for rule in select(RULES, **options)]


def test_without_options_all_rules_are_on() -> None:
    assert codes() == ["CL101", "CL102", "CL201"]


@pytest.mark.parametrize(
    ("selected", "ignored", "extended", "expected"),
    [
        (["CL1"], [], [], ["CL101", "CL102"]),
        (["CL101", "print"], [], [], ["CL101", "CL201"]),
        (["ALL"], ["CL1"], [], ["CL201"]),
        ([], ["CL1"], ["CL102"], ["CL102", "CL201"]),
        (["CL1"], ["tensor-item"], [], ["CL102"]),
        (["CL101"], ["CL1"], [], ["CL101"]),
        (["CL101"], ["CL101"], [], []),
        (["CL2"], [], ["CL101"], ["CL101", "CL201"]),
        ([], ["ALL"], [], []),
    ],
)
def test_the_more_specific_selector_wins(
    selected: list[str], ignored: list[str], extended: list[str], expected: list[str]
) -> None:
    assert codes(select=selected, ignore=ignored, extend_select=extended) == expected


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("CL999", "no rule is called 'CL999'"),
        ("CL1001", "did you mean 'CL101'?"),
        ("tensor-itm", "did you mean 'tensor-item'?"),
        ("", "no rule is called ''"),
    ],
)
@pytest.mark.parametrize("option", ["select", "ignore", "extend_select"])
def test_an_unknown_selector_is_refused_with_the_nearest(option: str, selector: str, message: str) -> None:
    with pytest.raises(SelectionError) as caught:
        codes(**{option: [selector]})
    assert message in str(caught.value)


@pytest.mark.parametrize("word", ["CL101", "cl101", "tensor-item", "Tensor-Item"])
def test_finds_a_rule_by_code_or_name_in_any_case(word: str) -> None:
    assert find_rule(RULES, word) is ITEM


def test_a_prefix_names_no_single_rule() -> None:
    with pytest.raises(SelectionError, match="there is no rule 'CL10'; did you mean 'CL10"):
        find_rule(RULES, "CL10")
