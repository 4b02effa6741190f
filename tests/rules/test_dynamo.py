"""The torch that is installed, on this Python, does with every example what its marks and its evidence say."""

from __future__ import annotations

import pytest

from compilelint.catalog import Example, ModeName, Rule, installed_torch, load_differing, on_python
from compilelint.catalog.evidence import lines_shown
from compilelint.catalog.pythons import running_python
from tests.rules.pages import example_id, examples, readable_rules

pytest.importorskip("torch")

from compilelint.judging.judge import judge

TORCH = (installed_torch() or "").partition("+")[0]


MODES: tuple[ModeName, ...] = ("default", "fullgraph", "capture-shapes")


HERE = {rule.code: rule for rule in on_python((each for _, each in readable_rules()), load_differing(running_python()))}
"""The rules with the evidence of this Python."""


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_dynamo_agrees(rule: Rule, example: Example) -> None:
    judged = judge(example, rule.effect, MODES, lines_shown(rule, example.name, but=TORCH))
    measured = HERE[rule.code].evidence.get(example.name, {}).get(TORCH, {})
    is_clean_elsewhere = not example.hazard and any(outcome.hazard for outcome in measured.values())
    if not is_clean_elsewhere:
        assert {mode: each.disagreements for mode, each in judged.items()} == dict.fromkeys(judged, ())
    for mode, known in measured.items():
        if mode in judged:
            found = judged[mode].outcome
            assert (mode, found.hazard, found.lines) == (mode, known.hazard, known.lines)
