from __future__ import annotations

import json

import pytest

from compilelint.catalog import evidence
from compilelint.catalog.evidence import (
    TargetError,
    format_evidence,
    holds,
    measured_versions,
    outcome_of,
    outcome_to_json,
    parse_evidence,
    resolve_target,
)
from compilelint.catalog.model import Outcome
from compilelint.catalog.pages import parse_page
from compilelint.inspect.events import Mode
from tests.catalog.make import PAGE, PATH

RAW = {
    "CL101": {
        "item": {
            "2.13.0": {
                "source": "0123",
                "default": {"hazard": True, "lines": [4], "gb_ids": ["GB0124"], "reason": "item"},
                "fullgraph": {"hazard": False},
                "capture-scalars": {"hazard": False},
                "capture-shapes": {"hazard": True},
            },
            "2.9.1": {"source": "0123", "default": {"hazard": True, "lines": [4]}},
        }
    }
}
RULE = parse_page(PAGE, PATH, parse_evidence(json.dumps(RAW))["CL101"])
MATCH = RULE.matches[0]
MEASURED = ("2.5.1", "2.9.1", "2.10.0", "2.13.0")


def test_reads_outcomes_by_version_and_mode() -> None:
    assert RULE.evidence["item"]["2.13.0"]["default"] == Outcome(True, (4,), ("GB0124",), "item")


def test_versions_are_ordered_as_versions_not_as_text() -> None:
    assert measured_versions([RULE]) == ("2.9.1", "2.13.0")


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode(), True),
        (Mode(fullgraph=True), False),
        (Mode(capture_scalars=True), False),
        (Mode(capture_scalars=True, capture_shapes=True), True),
        (Mode(fullgraph=True, capture_shapes=True), False),
    ],
)
def test_holds_as_measured_in_the_mode(mode: Mode, expected: bool) -> None:
    assert holds(RULE, MATCH, mode, "2.13.0") is expected


def test_the_default_mode_stands_for_a_mode_that_was_not_measured() -> None:
    assert holds(RULE, MATCH, Mode(fullgraph=True), "2.9.1")


def test_does_not_hold_on_a_version_that_was_not_measured() -> None:
    assert outcome_of(RULE, MATCH, Mode(), "2.10.0") is None
    assert not holds(RULE, MATCH, Mode(), "2.10.0")


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("2.9", "2.9.1"),
        ("2.9.0", "2.9.1"),
        ("2.9.1+cu128", "2.9.1"),
        ("2.12", "2.10.0"),
        ("2.13.0", "2.13.0"),
        ("2.99", "2.13.0"),
        ("2.14.0.dev20260101", "2.13.0"),
        ("3", "2.13.0"),
    ],
)
def test_a_target_is_served_by_the_nearest_measured_version_that_is_not_newer(asked: str, served: str) -> None:
    assert resolve_target(asked, MEASURED) == served


@pytest.mark.parametrize("asked", ["", "latest", "two", "2.x"])
def test_nonsense_is_no_target(asked: str) -> None:
    with pytest.raises(TargetError, match=r"is not a torch version; measured: 2\.5\.1"):
        resolve_target(asked, MEASURED)


def test_a_target_older_than_all_evidence_is_refused() -> None:
    with pytest.raises(TargetError, match=r"torch 1\.13 is older than all that was measured"):
        resolve_target("1.13", MEASURED)


def test_the_default_target_is_the_installed_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "installed_torch", lambda: "2.9.1+cpu")
    assert resolve_target(None, MEASURED) == "2.9.1"


def test_an_installed_torch_that_is_too_old_does_not_stop_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "installed_torch", lambda: "2.1.0")
    assert resolve_target(None, MEASURED) == "2.5.1"


def test_without_torch_the_newest_measured_is_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "installed_torch", lambda: None)
    assert resolve_target(None, MEASURED) == "2.13.0"


def test_without_evidence_there_is_no_target() -> None:
    with pytest.raises(TargetError, match="no evidence"):
        resolve_target("2.13", ())


def test_formatted_evidence_reads_back_and_has_one_line_per_measurement() -> None:
    text = format_evidence(RAW)
    assert json.loads(text) == RAW
    measured = [line for line in text.splitlines() if "hazard" in line]
    assert [line.split('"')[1] for line in measured] == ["2.9.1", "2.13.0"]


def test_an_outcome_is_written_without_what_is_empty() -> None:
    assert outcome_to_json(Outcome(False)) == {"hazard": False}
    assert outcome_to_json(Outcome(True, (4,), ("GB0124",), "item")) == RAW["CL101"]["item"]["2.13.0"]["default"]


@pytest.mark.parametrize("text", ["[]", '{"CL101": []}', '{"CL101": {"item": {"2.13.0": {"default": {}}}}}', "{"])
def test_evidence_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"evidence\.json is not of its form|Expecting property name"):
        parse_evidence(text)
