from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.catalog import PageError, load, load_rules
from compilelint.catalog.evidence import source_hash
from tests.catalog.make import PAGE


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's own page, beside its evidence."""
    page = tmp_path / "ACME101-no-reads.md"
    page.write_text(PAGE.replace("CL101", "ACME101").replace("tensor-item", "no-reads"), encoding="utf-8")
    item = next(example for example in load.load_page(page, {}).examples if example.name == "item")
    measured = {"source": source_hash(item), "measured": {"2.13.0": {"default": {"hazard": True}}}}
    (tmp_path / "evidence.json").write_text(json.dumps({"ACME101": {"item": measured}}), encoding="utf-8")
    return page


def test_rules_come_in_the_order_of_their_codes(own: Path) -> None:
    codes = [rule.code for rule in load_rules([own])]
    assert codes == sorted(codes)
    assert codes[0] == "ACME101"


def test_an_extra_page_has_the_evidence_beside_it(own: Path) -> None:
    rule = load_rules([own])[0]
    assert rule.evidence["item"]["2.13.0"]["default"].hazard


def test_an_extra_page_cannot_take_a_code(own: Path) -> None:
    taken = own.parent / "ACME101-other.md"
    taken.write_text(own.read_text().replace("no-reads", "other"), encoding="utf-8")
    with pytest.raises(PageError, match="code ACME101 is taken by no-reads"):
        load_rules([own, taken])


def test_an_extra_page_cannot_take_a_name(own: Path) -> None:
    taken = own.parent / "ACME102-no-reads.md"
    taken.write_text(own.read_text().replace("ACME101", "ACME102"), encoding="utf-8")
    with pytest.raises(PageError, match="name 'no-reads' is taken by ACME101"):
        load_rules([own, taken])


def test_a_page_that_is_not_utf8_is_a_page_error(tmp_path: Path) -> None:
    page = tmp_path / "ACME101-no-reads.md"
    page.write_bytes(b"+++\n\xff\n")
    with pytest.raises(PageError, match="not UTF-8"):
        load_rules([page])


def test_broken_evidence_is_a_page_error(own: Path) -> None:
    (own.parent / "evidence.json").write_text("{\n", encoding="utf-8")
    with pytest.raises(PageError, match=r"evidence\.json:\d"):
        load_rules([own])


def test_a_missing_page_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_rules([tmp_path / "ACME101-no-reads.md"])
