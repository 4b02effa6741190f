from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.authoring.evidence_file import merge, update, update_differing
from compilelint.catalog import load_page, parse_page
from compilelint.catalog.evidence import RawEvidence, RawExample, parse_evidence, read_raw, source_hash
from tests.catalog.make import PAGE, PATH

RULE = parse_page(PAGE, PATH)
SOURCES = {example.name: source_hash(example) for example in RULE.examples}


def example(source: str, **measured: int) -> RawExample:
    outcomes = {version: {"default": found} for version, found in measured.items()}
    return {"source": source, "proofs": {}, "measured": outcomes}


OLD: RawEvidence = {
    "CL101": {"item": example(SOURCES["item"], **{"2.9.1": 1, "2.13.0": 2}), "gone": example("0123", **{"2.9.1": 3})},
    "CL102": {"tolist": example("0123", **{"2.9.1": 4})},
}


def test_a_measurement_replaces_its_own_version_only() -> None:
    merged = merge(OLD, "2.13.0", {"CL101": {"item": {"default": 9}}}, [RULE])
    assert merged["CL101"]["item"] == example(SOURCES["item"], **{"2.9.1": 1, "2.13.0": 9})


def test_what_was_not_measured_this_time_stays() -> None:
    merged = merge(OLD, "2.13.0", {"CL101": {"keep-tensor": {"default": 5}}}, [RULE])
    assert merged["CL101"] == {
        "item": OLD["CL101"]["item"],
        "keep-tensor": example(SOURCES["keep-tensor"], **{"2.13.0": 5}),
    }


def test_examples_and_pages_that_are_gone_are_dropped() -> None:
    merged = merge(OLD, "2.13.0", {"CL102": {"tolist": {"default": 5}}}, [RULE])
    assert set(merged) == {"CL101"}
    assert "gone" not in merged["CL101"]


def test_what_was_measured_of_another_text_is_dropped() -> None:
    old = {"CL101": {"item": example("another", **{"2.9.1": 1})}}
    assert merge(old, "2.13.0", {}, [RULE]) == {}
    measured = merge(old, "2.13.0", {"CL101": {"item": {"default": 9}}}, [RULE])
    assert measured["CL101"]["item"] == example(SOURCES["item"], **{"2.13.0": 9})


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "ACME101-no-reads.md"
    text = PAGE.replace("CL101", "ACME101").replace("tensor-item", "no-reads")
    path.write_text(text.replace('detector = "shapes:is_odd"\n', "").replace(", ACME502 (fullgraph)", ""))
    return path


def shown(line: int) -> dict[str, dict[str, dict[str, dict[str, object]]]]:
    return {"ACME101": {"item": {"default": {"hazard": True, "lines": [line]}}}}


def test_a_file_is_made_beside_the_page_and_takes_effect(page: Path) -> None:
    target = page.parent / "evidence.json"
    update(target, "2.13.0", shown(4))
    update(target, "2.9.1", shown(5))
    rule = load_page(page, parse_evidence(target.read_text(encoding="utf-8")))
    assert {version: modes["default"].lines for version, modes in rule.evidence["item"].items()} == {
        "2.13.0": (4,),
        "2.9.1": (5,),
    }


def test_other_files_beside_the_pages_lose_nothing(page: Path) -> None:
    target = page.parent / "evidence.json"
    update(target, "2.13.0", shown(4))
    (page.parent / "notes.md").write_text("# no page\n")
    before = read_raw(target.read_text(encoding="utf-8"))["ACME101"]
    page.write_text(page.read_text().replace("+++", "---", 1))  # while somebody writes it
    update(target, "2.13.0", {})
    assert read_raw(target.read_text(encoding="utf-8"))["ACME101"] == before


def test_what_was_measured_of_a_page_that_is_gone_is_dropped(page: Path) -> None:
    target = page.parent / "evidence.json"
    update(target, "2.13.0", shown(4))
    page.unlink()
    update(target, "2.13.0", {})
    assert read_raw(target.read_text(encoding="utf-8")) == {}


def test_a_file_of_another_form_is_refused_and_left(page: Path) -> None:
    target = page.parent / "evidence.json"
    target.write_text("[]")
    with pytest.raises(ValueError, match="not of its form"):
        update(target, "2.13.0", shown(4))
    assert target.read_text() == "[]"


@pytest.fixture
def other(page: Path) -> tuple[Path, Path]:
    """The file of another Python, and the usual one, in which two versions of torch broke on line 4."""
    usual = page.parent / "evidence.json"
    for version in ("2.9.1", "2.13.0"):
        update(usual, version, shown(4))
    return page.parent / "evidence-3.12.json", usual


def kept_in(file: Path) -> dict[str, list[int]]:
    """The lines that are kept of the example, by version."""
    examples = read_raw(file.read_text(encoding="utf-8")).get("ACME101", {})
    return {
        version: modes["default"]["lines"] for each in examples.values() for version, modes in each["measured"].items()
    }


def test_of_another_python_what_differs_is_kept_and_what_was_measured_with_it(other: tuple[Path, Path]) -> None:
    update_differing(*other, {"2.9.1": shown(4), "2.13.0": shown(5), "2.8.0": shown(5)})  # nothing is usual on 2.8
    assert kept_in(other[0]) == {"2.9.1": [4], "2.13.0": [5]}
    update_differing(*other, {"2.13.0": shown(4)})
    assert kept_in(other[0]) == {}


@pytest.mark.parametrize(
    ("why", "outcome"),
    [
        ("as usual, in other words", {"hazard": True, "lines": [4], "reason": "in other words"}),
        ("killed before it came to an end", {"hazard": False, "reason": "killed after 120 s"}),
    ],
)
def test_nothing_differs_on_another_python(why: str, outcome: dict[str, object], other: tuple[Path, Path]) -> None:
    update_differing(*other, {"2.13.0": {"ACME101": {"item": {"default": outcome}}}})
    assert kept_in(other[0]) == {}
