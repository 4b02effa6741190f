"""Tables that are remembered as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store


@dataclass(frozen=True, slots=True)
class Row:
    size: int
    names: tuple[str, ...] = ()


ROWS = {"a.py": Row(1, ("x",)), "b.py": Row(2)}


def test_a_table_is_known_among_the_same(tmp_path: Path) -> None:
    kept = Kept("sizes", Row)
    with Store(tmp_path / "m.sqlite") as store:
        kept.keep(store, "project", "program 1", ROWS)
        assert kept.known(store, "project", "program 1") == ROWS
        assert kept.known(store, "project", "program 2") == {}
        assert kept.known(store, "other", "program 1") == {}
        assert Kept("others", Row).known(store, "project", "program 1") == {}


@pytest.mark.parametrize("value", [b"", b"\xc1", b"\x81\xa5among\xa1x", b"\xa3\xff\xff\xff"])
def test_what_cannot_be_read_is_not_known(value: bytes, tmp_path: Path) -> None:
    with Store(tmp_path / "m.sqlite") as store:
        store.put("sizes", {"project": value})
        assert Kept("sizes", Row).known(store, "project", "x") == {}


def test_a_table_with_a_name_that_is_no_unicode_is_not_kept(tmp_path: Path) -> None:
    kept = Kept("sizes", Row)
    with Store(tmp_path / "m.sqlite") as store:
        kept.keep(store, "project", "x", {"\udc80.py": Row(1)})
        assert kept.known(store, "project", "x") == {}
        assert not store.failure
