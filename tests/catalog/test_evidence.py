from __future__ import annotations

import json
from dataclasses import replace

import pytest

from compilelint.catalog import evidence
from compilelint.catalog.evidence import (
    RawEvidence,
    TargetError,
    format_evidence,
    holds,
    lines_shown,
    measured_versions,
    names_of_breaks,
    outcome_of,
    outcome_to_json,
    parse_evidence,
    read_raw,
    resolve_target,
    source_hash,
    with_evidence,
)
from compilelint.catalog.model import Example, ModeName, Outcome, Rule
from compilelint.catalog.pages import parse_page
from compilelint.inspect.events import Mode
from tests.catalog.make import PAGE, PATH

PAGE_RULE = parse_page(PAGE, PATH)
BREAKS = {"hazard": True, "lines": [4], "gb_ids": ["GB0124"], "reason": "item"}
RAW: RawEvidence = {
    "CL101": {
        "item": {
            "source": source_hash(next(example for example in PAGE_RULE.examples if example.name == "item")),
            "proofs": {"call torch.Tensor.item": [4]},
            "measured": {
                "2.9.1": {"default": {"hazard": True, "lines": [4]}},
                "2.13.0": {
                    "default": BREAKS,
                    "fullgraph": {"hazard": False},
                    "capture-scalars": {"hazard": False},
                    "capture-shapes": {"hazard": True, "lines": [4]},
                },
            },
        }
    }
}
RULE = with_evidence(PAGE_RULE, parse_evidence(json.dumps(RAW))["CL101"])
MATCH = RULE.matches[0]
MEASURED = ("2.5.1", "2.9.1", "2.10.0", "2.13.0")


def test_reads_outcomes_by_version_and_mode() -> None:
    assert RULE.evidence["item"]["2.13.0"]["default"] == Outcome(True, (4,), ("GB0124",), "item")


def test_of_an_example_whose_text_is_another_now_nothing_is_proven() -> None:
    changed = {"CL101": {"item": {**RAW["CL101"]["item"], "source": "another"}}}
    rule = with_evidence(PAGE_RULE, parse_evidence(json.dumps(changed))["CL101"])
    assert (rule.evidence, rule.proofs) == ({}, {})


def lines(*shown: int, proofs: dict[str, frozenset[int]] | None = None) -> Rule:
    """A rule whose example is marked on lines 4 and 5, of which `shown` are seen to break."""
    example = Example("item", True, "", 1, ((4, "CL101", None), (5, "CL101", None), (6, "CL999", None)))
    outcomes: dict[str, dict[ModeName, Outcome]] = {"2.13.0": {"default": Outcome(bool(shown), shown)}}
    return replace(RULE, examples=(example,), evidence={"item": outcomes}, proofs={"item": proofs or {}})


def test_the_lines_on_which_an_example_has_the_subject_decide() -> None:
    rule = lines(5, proofs={"call a": frozenset({4}), "call b": frozenset({5}), "call c": frozenset({4, 5})})
    held = [subject for subject in ("call a", "call b", "call c") if holds(rule, MATCH, Mode(), "2.13.0", subject)]
    assert held == ["call b", "call c"]


def test_a_subject_that_the_example_has_not_is_proven_by_any_of_its_lines() -> None:
    assert holds(lines(5, proofs={"call a": frozenset({4})}), MATCH, Mode(), "2.13.0", "call other")
    assert not holds(lines(proofs={"call a": frozenset({4})}), MATCH, Mode(), "2.13.0", "call other")


def test_a_line_to_which_no_run_came_does_what_it_does_by_default() -> None:
    modes = {"default": Outcome(True, (4,)), "fullgraph": Outcome(True, (6,), unknown=(4, 5))}
    rule = replace(
        lines(4, proofs={"call a": frozenset({4}), "call b": frozenset({5})}), evidence={"item": {"2.13.0": modes}}
    )
    held = [subject for subject in ("call a", "call b") if holds(rule, MATCH, Mode(fullgraph=True), "2.13.0", subject)]
    assert held == ["call a"]


def test_the_line_of_another_rule_proves_nothing() -> None:
    assert not holds(lines(6), MATCH, Mode(), "2.13.0", "call a")


def test_lines_that_other_versions_show() -> None:
    assert lines_shown(RULE, "item") == {4}
    assert lines_shown(RULE, "item", but="2.9.1") == {4}
    assert lines_shown(lines(5), "item", but="2.13.0") == frozenset()


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


def test_what_fullgraph_shows_is_shown_by_the_settings_that_capture() -> None:
    marked = (Example("item", True, "…", 1, marks=((5, "CL101", "fullgraph"),)),)
    modes = {"default": Outcome(True, (4,)), "capture-scalars": Outcome(True, (5,))}
    rule = replace(RULE, examples=marked, evidence={"item": {"2.13.0": modes}}, proofs={})
    assert holds(rule, MATCH, Mode(capture_scalars=True), "2.13.0")
    assert not holds(rule, MATCH, Mode(), "2.13.0")


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


def test_formatted_evidence_reads_back() -> None:
    assert read_raw(format_evidence(RAW)) == RAW


def test_versions_that_do_the_same_share_a_line_and_modes_like_the_default_say_so() -> None:
    modes = {"default": BREAKS, "fullgraph": {"hazard": False}, "capture-scalars": BREAKS}
    raw = {"CL101": {"item": {"source": "0123", "proofs": {}, "measured": {"2.9.1": modes, "2.10.0": modes}}}}
    text = format_evidence(raw)
    assert text.count("GB0124") == 1
    assert '"2.9.1 2.10.0": ' in text
    assert read_raw(text) == raw


def test_an_outcome_is_written_without_what_is_empty() -> None:
    assert outcome_to_json(Outcome(False)) == {"hazard": False}
    assert outcome_to_json(Outcome(True, (4,), ("GB0124",), "item")) == BREAKS


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"CL101": []}',
        '{"CL101": {"item": {"2.13.0": {"default": {}}}}}',
        '{"CL101": {"item": {"source": "", "measured": {"2.13.0": {"default": {}}}}}}',
        '{"CL101": {"item": {"source": "", "measured": {"2.13.0": {"fullgraph": "as by default"}}}}}',
        "{",
    ],
)
def test_evidence_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"evidence\.json is not of its form|Expecting property name"):
        parse_evidence(text)


def test_breaks_have_the_names_of_all_that_is_about_the_same_callee_the_nearest_first() -> None:
    ids = {"ints": "GB0033", "floats": "GB0109", "array": "GB0024"}
    callees = {"ints": "torch.Tensor.tolist", "floats": "torch.Tensor.tolist", "array": "numpy.ndarray.tolist"}
    ints, floats, array = (replace(MATCH, example=name, callee=(callee,)) for name, callee in callees.items())
    measured: dict[str, dict[str, dict[ModeName, Outcome]]] = {
        name: {"2.13.0": {"default": Outcome(True, (4,), (gb_id,))}} for name, gb_id in ids.items()
    }
    rule = replace(RULE, matches=(ints, floats, array), evidence=measured)
    assert names_of_breaks(rule, floats, Mode(), "2.13.0") == ("GB0109", "GB0033")
    assert names_of_breaks(rule, array, Mode(), "2.13.0") == ("GB0024",)
