from __future__ import annotations

import sys
from pathlib import Path

import pytest

from compilelint.catalog import parse_page
from compilelint.catalog.evidence import source_hash
from tests.catalog.make import PAGE, PATH
from tools import measure_evidence
from tools.measure_evidence import interpreter_with, is_measured, merge

OLD = {
    "CL101": {"item": {"2.9.1": {"default": 1}, "2.13.0": {"default": 2}}, "gone": {"2.9.1": {"default": 3}}},
    "CL102": {"tolist": {"2.9.1": {"default": 4}}},
}
EXISTING = {"CL101": frozenset({"item", "new"})}


def test_a_measurement_replaces_its_own_version_only() -> None:
    merged = merge(OLD, "2.13.0", {"CL101": {"item": {"default": 9}}}, EXISTING)
    assert merged["CL101"]["item"] == {"2.9.1": {"default": 1}, "2.13.0": {"default": 9}}


def test_what_was_not_measured_this_time_stays() -> None:
    merged = merge(OLD, "2.13.0", {"CL101": {"new": {"default": 5}}}, EXISTING)
    assert merged == {"CL101": {"item": OLD["CL101"]["item"], "new": {"2.13.0": {"default": 5}}}}


def test_examples_and_pages_that_are_gone_are_dropped() -> None:
    merged = merge(OLD, "2.13.0", {"CL102": {"tolist": {"default": 5}}}, EXISTING)
    assert set(merged) == {"CL101"}
    assert "gone" not in merged["CL101"]


def test_the_running_interpreter_serves_the_torch_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_evidence, "installed_torch", lambda: "2.13.0+cpu")
    assert interpreter_with("2.13.0", tmp_path) == Path(sys.executable)


def test_an_environment_that_is_ready_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_evidence, "installed_torch", lambda: None)
    (tmp_path / "torch-2.9.1").mkdir()
    (tmp_path / "torch-2.9.1" / "ready").touch()
    assert interpreter_with("2.9.1", tmp_path).parent.parent == tmp_path / "torch-2.9.1"


def test_a_page_is_measured_when_all_of_its_present_text_is() -> None:
    rule = parse_page(PAGE, PATH)
    measured = {
        example.name: {"2.13.0": {"source": source_hash(example)}, "2.9.1": {"source": "older"}}
        for example in rule.examples
    }
    assert is_measured(rule, {"CL101": measured}, "2.13.0")
    assert not is_measured(rule, {"CL101": measured}, "2.9.1")
    assert not is_measured(rule, {"CL101": {"item": measured["item"]}}, "2.13.0")
    assert not is_measured(rule, {}, "2.13.0")
