"""The torch that is installed does with every example what its marks and its evidence say."""

from __future__ import annotations

import pytest

from compilelint.catalog import Example, ModeName, Rule, installed_torch
from compilelint.catalog.evidence import lines_shown
from tests.rules.pages import example_id, examples

pytest.importorskip("torch")

from compilelint.judging.judge import judge

TORCH = (installed_torch() or "").partition("+")[0]


MODES: tuple[ModeName, ...] = ("default", "fullgraph", "capture-shapes")


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_dynamo_agrees(rule: Rule, example: Example) -> None:
    judged = judge(example, rule.effect, MODES, lines_shown(rule, example.name, but=TORCH))
    assert {mode: each.disagreements for mode, each in judged.items()} == dict.fromkeys(judged, ())
    for mode, measured in rule.evidence.get(example.name, {}).get(TORCH, {}).items():
        if mode in judged:
            found = judged[mode].outcome
            assert (mode, found.hazard, found.lines) == (mode, measured.hazard, measured.lines)
