"""The torch that is installed does with every example what its marks and its evidence say."""

from __future__ import annotations

import pytest

from compilelint.catalog import Example, ModeName, Rule, installed_torch
from tests.rules.pages import example_id, examples

pytest.importorskip("torch")

from tools.dynamo_judge import judge, notes
from tools.example_source import defines_root

TORCH = (installed_torch() or "").partition("+")[0]


@pytest.mark.parametrize("mode", ["default", "fullgraph"])
@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_dynamo_agrees(rule: Rule, example: Example, mode: ModeName) -> None:
    if mode == "fullgraph" and not defines_root(example.source):
        pytest.skip("a script chooses its own mode")
    _, outcome, problems = judge(example, rule.effect, mode)
    assert not problems
    measured = rule.evidence.get(example.name, {}).get(TORCH, {}).get(mode)
    if measured is not None:
        assert (outcome.hazard, outcome.lines, outcome.gb_ids) == (
            measured.hazard,
            measured.lines,
            measured.gb_ids,
        )


@pytest.mark.parametrize(
    ("rule", "example"), [(rule, example) for rule, example in examples() if example.hazard], ids=example_id
)
def test_all_marks_of_an_example_hold_in_the_same_modes(rule: Rule, example: Example) -> None:
    """Else what is read from the example's evidence for a mode is wrong for some of what it proves."""
    assert not notes(example, rule.evidence.get(example.name, {}).get(TORCH, {}))
