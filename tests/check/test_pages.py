"""Pages are read once, and again when they, or the program, are other ones."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from compilelint.catalog import PageError, load_rules, page_paths, rules_directory
from compilelint.check import pages as module
from compilelint.check.memory import cache_file
from compilelint.check.pages import remembered_pages

PAGE = next(page for page in page_paths(rules_directory()) if page.name.startswith("CL101-"))
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that are read, as it happens."""
    names: list[str] = []
    parse_page = module.parse_page

    def noting(text: str, path: str) -> object:
        names.append(path)
        return parse_page(text, path)

    monkeypatch.setattr(module, "parse_page", noting)
    return names


def test_the_rules_of_pages_that_were_read_before_are_the_same(tmp_path: Path, parsed: list[str]) -> None:
    with remembered_pages(tmp_path, "tool") as parse:
        first = load_rules(parse=parse)
    assert len(parsed) == len(first)
    parsed.clear()
    with remembered_pages(tmp_path, "tool") as parse:
        again = load_rules(parse=parse)
    assert parsed == []
    for one, other, plain in zip(first, again, load_rules(), strict=True):
        assert one == other
        for field in ("evidence", "proofs"):
            assert dict(getattr(other, field)) == dict(getattr(plain, field))


def test_another_page_or_another_program_is_read(tmp_path: Path, parsed: list[str]) -> None:
    for tool, path, text in (
        ("tool", PAGE.name, TEXT),
        ("tool", f"elsewhere/{PAGE.name}", TEXT),
        ("tool", PAGE.name, f"{TEXT}\nMore.\n"),
        ("newer", PAGE.name, TEXT),
    ):
        with remembered_pages(tmp_path, tool) as parse:
            assert parse(text, path) == parse(text, path)
    assert parsed == [PAGE.name] * 6


def test_a_page_that_is_wrong_is_wrong_each_time_and_where_it_is(tmp_path: Path) -> None:
    for path in ("a/CL101-x.md", "b/CL101-x.md"):
        with remembered_pages(tmp_path, "tool") as parse, pytest.raises(PageError, match=path):
            parse(TEXT, path)


@pytest.mark.parametrize("value", [b"", b"\xff", b"\x82\xa4tool\xa4tool\xa5rules\x81\xa1x\x01"])
def test_memory_that_cannot_be_understood_is_none(value: bytes, tmp_path: Path, parsed: list[str]) -> None:
    with remembered_pages(tmp_path, "tool") as parse:
        rule = parse(TEXT, str(PAGE))
    with sqlite3.connect(cache_file(tmp_path, rules_directory())) as connection:
        assert connection.execute("UPDATE entry SET value = ?", (value,)).rowcount == 1
    with remembered_pages(tmp_path, "tool") as parse:
        assert parse(TEXT, str(PAGE)) == rule
    assert len(parsed) == 2


def test_without_a_cache_nothing_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with remembered_pages(None, "tool") as parse:
        parse(TEXT, str(PAGE))
    assert not any(tmp_path.iterdir())
