"""Reading what Dynamo did, in both layouts, and what is set apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy.truth import TruthError, apart, read
from tests.benchmarks.accuracy_make import line_of, model, site, usual_lines, usual_models, write_truth


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    ours = read(write_truth(tmp_path / "ours", usual_models(), usual_lines()) / "tiny.json")
    own_lines = {
        name: {**entry, "traced_lines": usual_lines(), "versions": {"tiny": "1.2"}, "root": None}
        for name, entry in usual_models().items()
    }
    (tmp_path / "tiny.json").write_text(json.dumps(own_lines))
    facts = read(tmp_path / "tiny.json")
    assert (facts.package, facts.version, facts.traced) == ("tiny", "1.2", ours.traced)
    assert [each.sites for each in facts.models] == [each.sites for each in ours.models]
    assert facts.models[0].files == {"tiny/model.py"}
    assert (facts.models[0].root, ours.models[0].root) == ("", "tiny/model.py::Breaks")


def test_lines_of_all_models_are_joined(tmp_path: Path) -> None:
    lines = {"tiny/model.py": [[2, 4], [9, 9]]}
    truth = read(write_truth(tmp_path, usual_models(), lines) / "tiny.json")
    assert truth.traced == {"tiny/model.py": frozenset({2, 3, 4, 9})}


def test_a_site_that_two_models_share_is_one(tmp_path: Path) -> None:
    models = {"a": model("Breaks", site(".item()")), "b": model("Breaks", site(".item()", gb_id="GB0170"))}
    truth = read(write_truth(tmp_path, models, {}) / "tiny.json")
    assert [each.line for each in truth.sites] == [line_of(".item()")]


def test_a_site_counts_if_one_model_shows_a_cause_in_source(tmp_path: Path) -> None:
    models = {"a": model("Breaks", site(".item()", gb_id="GB0039")), "b": model("Breaks", site(".item()"))}
    assert [each.apart for each in read(write_truth(tmp_path, models, {}) / "tiny.json").sites] == [""]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, ""),
        ({"file": "torch/nn/functional.py"}, "outside"),
        ({"file": "tinyer/model.py"}, "outside"),
        ({"file": "tiny.py"}, ""),
        ({"innermost": "scipy/integrate.py:7"}, ""),
        ({"gb_id": "GB0219"}, "run"),
        ({"kinds": ["limit"], "gb_id": None}, "run"),
        ({"function": "<dictcomp>", "gb_id": "GB4347", "primary": False}, "after-break"),
        ({"function": "<dictcomp>", "gb_id": "GB4347", "primary": True}, ""),
        ({"function": "<dictcomp>", "gb_id": "GB0124", "primary": False}, ""),
        ({"function": "forward", "gb_id": "GB4347", "primary": False}, ""),
    ],
)
def test_what_source_does_not_show_is_set_apart(changed: dict[str, Any], reason: str) -> None:
    assert apart("tiny", {**site(".item()"), **changed}) == reason


@pytest.mark.parametrize(
    ("entry", "broke"),
    [
        (model("Clean"), False),
        (model("Clean", phases={"eval": {"ok": False, "n_break_records": 0}}), False),
        (model("Clean", phases={"eval": {}, "train": {"ok": True, "n_break_records": 2}}), True),
        (model("Clean", site(".item()", file="torch/x.py")), True),
        (model("Clean", site(".item()", kinds=["limit"]), phases={}), False),
    ],
)
def test_a_model_breaks_wherever_it_does(tmp_path: Path, entry: dict[str, Any], broke: bool) -> None:
    (found,) = read(write_truth(tmp_path, {"only": entry}, {}) / "tiny.json").models
    assert found.broke is broke


@pytest.mark.parametrize(
    ("reason", "places", "names"),
    [
        ("0/0: self.step == 0  # x = self.step  # tiny/model.py:8 in forward", {("tiny/model.py", 8)}, {"step"}),
        ("self.layers[0].n == 3", set(), {"n"}),
        ("0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3", set(), set()),
        ("x.size()[0] == 4  # tiny/model.py:8 in forward", set(), set()),
    ],
)
def test_a_guard_names_places_and_variables_but_sizes_name_nothing(
    tmp_path: Path, reason: str, places: set[tuple[str, int]], names: set[str]
) -> None:
    recompiles = [{"file": "tiny/model.py", "line": 7, "function": "forward", "phase": "eval", "reasons": [reason]}]
    truth = read(write_truth(tmp_path, {"a": model("Breaks", recompiles=recompiles)}, {}) / "tiny.json")
    (recompile,) = truth.models[0].recompiles
    assert (recompile.places, recompile.names) == (places, names)


@pytest.mark.parametrize("text", ["", "[]", '{"a": {}}', '{"models": {"a": {"sites": [{}]}}, "traced_lines": {}}'])
def test_what_is_no_truth_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "tiny.json").write_text(text)
    with pytest.raises(TruthError, match=r"tiny\.json: not a file of truth"):
        read(tmp_path / "tiny.json")
