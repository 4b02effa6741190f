"""The pages of CL9: a run of each example shows what the page is about, at the marked lines, and nothing else."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path
from typing import get_args

import pytest

pytest.importorskip("torch")

import compilelint
from compilelint.catalog import Example, Rule
from compilelint.catalog.pages import GROUPS, RUN_GROUP
from compilelint.report.model import ObservationType, Report
from compilelint.report.run_rules import NOTHING_COMPILED, RUN_RULES
from compilelint.report.verdicts.proofs import shows_effect
from tests.rules.pages import example_id, examples, readable_rules

pytestmark = pytest.mark.slow

TYPES = {code: kind for kind, code in RUN_RULES.items()}


def test_each_type_of_observation_has_a_page() -> None:
    assert set(RUN_RULES) == set(get_args(ObservationType))
    pages = {rule.code for _, rule in readable_rules() if rule.group == RUN_GROUP}
    assert pages == {*RUN_RULES.values(), NOTHING_COMPILED}


@pytest.mark.parametrize(
    ("rule", "example"), [each for each in examples() if each[0].group == RUN_GROUP], ids=example_id
)
def test_a_run_shows_it_where_the_marks_are(
    rule: Rule, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = _run(example, tmp_path)
    if rule.code == NOTHING_COMPILED:
        assert report.run is not None
        assert (report.run.compilations == 0) is example.hazard
        return
    marked = {line for line, code, _ in example.marks if code == rule.code}
    # What led to a limit is seen as well.
    seen = [each for each in report.observations if (each.type, rule.code) != ("recompile", "CL904")]
    assert {(each.type, each.line) for each in seen} == {(TYPES[rule.code], line) for line in marked}


@pytest.mark.parametrize("kind", sorted(set(RUN_RULES) - {"recompile-limit", "cudagraph-skip"}))
def test_its_effect_is_the_one_that_predicts_it(kind: ObservationType) -> None:
    rule = next(rule for _, rule in readable_rules() if rule.code == RUN_RULES[kind])
    assert shows_effect(kind, rule.effect)


def test_all_codes_are_of_the_group() -> None:
    assert all(code.startswith(GROUPS[RUN_GROUP]) for code in (*RUN_RULES.values(), NOTHING_COMPILED))


def _run(example: Example, folder: Path) -> Report:
    import torch

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    file = folder / "example.py"
    file.write_text(example.source)
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with open(os.devnull, "w", encoding="utf-8") as null, contextlib.redirect_stdout(null):
        with compilelint.record(own=[str(folder)]) as run:
            spec.loader.exec_module(module)
        return run.report
