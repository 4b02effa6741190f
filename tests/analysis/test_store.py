"""A memory that may fail, and never does harm."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from compilelint.analysis import store as module
from compilelint.analysis.store import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "cache.sqlite"


def filled(file: Path) -> None:
    with Store(file) as store:
        store.put("unit", {"a": b"1", "b": b"2"})
        store.put("files", {"a": b"3"})


def test_values_are_kept_by_kind_and_key(file: Path) -> None:
    filled(file)
    with Store(file) as store:
        assert store.get("unit", ["b", "a", "gone", "a"]) == {"a": b"1", "b": b"2"}
        assert store.get("files", ["a", "b"]) == {"a": b"3"}
        store.put("unit", {"a": b"new"})
        assert store.get("unit", ["a"]) == {"a": b"new"}


def test_many_keys_are_asked_for_at_once(file: Path) -> None:
    with Store(file) as store:
        values = {str(number): b"" for number in range(2000)}
        store.put("unit", values)
        assert store.get("unit", values) == values


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 500])
def test_a_broken_file_is_made_anew(content: bytes, file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {}
    filled(file)
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {"a": b"1"}


def test_a_file_that_is_broken_further_in_is_made_anew_by_the_next_run(file: Path) -> None:
    with Store(file) as store:
        store.put("unit", {str(number): bytes(5_000) for number in range(50)})
    content = bytearray(file.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    file.write_bytes(content)
    for _ in range(2):
        with Store(file) as store:
            assert store.get("unit", map(str, range(50))) == {}
            store.put("unit", {"a": b"1"})
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {"a": b"1"}


def test_what_another_version_wrote_is_forgotten(file: Path) -> None:
    filled(file)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {}
        store.put("unit", {"a": b"new"})
        assert store.get("unit", ["a"]) == {"a": b"new"}


def test_two_at_once_see_what_the_other_wrote(file: Path) -> None:
    with Store(file) as one, Store(file) as other:
        one.put("unit", {"a": b"1"})
        other.put("unit", {"b": b"2"})
        assert one.get("unit", ["a", "b"]) == other.get("unit", ["a", "b"]) == {"a": b"1", "b": b"2"}


def test_a_locked_file_is_no_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(file)
    monkeypatch.setattr(module, "_WAIT_S", 0.01)
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    with Store(file) as store:
        store.put("unit", {"c": b"3"})
        store.put("unit", {"d": b"4"})
        assert store.get("unit", ["c", "d"]) == {}
    connection.close()
    with Store(file) as store:
        assert store.get("unit", ["a", "c"]) == {"a": b"1"}


def test_a_directory_in_its_place_is_no_error(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put("unit", {"a": b"1"})
        assert store.get("unit", ["a"]) == {}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with Store(tmp_path / "new" / "cache.sqlite") as store:
        assert store.get("unit", ["a"]) == {}


def test_the_oldest_go_when_there_is_too_much(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 300_000)
    days = iter(range(100, 300))
    monkeypatch.setattr(module.time, "time", lambda: next(days) * 86_400)
    with Store(file) as store:
        for number in range(50):
            store.put("unit", {str(number): bytes(10_000)})
        store.used("unit", ["0"])
    with Store(file) as store:
        left = {int(key) for key in store.get("unit", map(str, range(50)))}
    assert 10 < len(left) < 30
    assert left - {0} == set(range(50 - len(left) + 1, 50)), "what was used last was kept, and 0 was used again"


def test_the_file_does_not_grow_with_the_runs(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 300_000)
    sizes = []
    for run in range(30):
        with Store(file) as store:
            store.put("unit", {f"{run} {number}": bytes(10_000) for number in range(10)})
        sizes.append(sum(each.stat().st_size for each in file.parent.iterdir()))
    assert max(sizes) < 300_000 + 2 * 10 * 10_000
    assert sizes[-1] == sizes[-10]


@pytest.mark.parametrize("left", [0, 50, 4096, 20_000])
def test_a_truncated_file_is_made_anew(left: int, file: Path) -> None:
    with Store(file) as store:
        store.put("unit", {str(number): bytes(5_000) for number in range(50)})
    os.truncate(file, left)
    for _ in range(2):
        with Store(file) as store:
            assert not any(store.get("unit", map(str, range(50))).values())
            store.put("unit", {"a": b"1"})
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {"a": b"1"}


def test_tables_of_an_older_version_are_replaced(file: Path) -> None:
    file.parent.mkdir()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT)")
    connection.execute("INSERT INTO entry VALUES ('a', 'old')")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    filled(file)
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {"a": b"1"}


def test_what_another_run_makes_and_fills_meanwhile_is_left(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema_of = module._schema_of

    def seen_before_the_other_came(connection: sqlite3.Connection) -> int:
        schema = schema_of(connection)
        monkeypatch.setattr(module, "_schema_of", schema_of)
        with Store(file) as other:
            other.put("unit", {"a": b"1"})
        return schema

    monkeypatch.setattr(module, "_schema_of", seen_before_the_other_came)
    with Store(file) as store:
        assert store.get("unit", ["a"]) == {"a": b"1"}


WRITER = """\
import sys
from pathlib import Path
from compilelint.analysis.store import Store
for run in range(20):
    with Store(Path(sys.argv[1])) as store:
        store.put("unit", {f"{sys.argv[2]} {run} {number}": bytes(1000) for number in range(20)})
"""


def test_what_processes_write_at_once_is_all_there(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(file), name], env=environment) for name in ("a", "b", "c")
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    keys = {f"{name} {run} {number}" for name in "abc" for run in range(20) for number in range(20)}
    with Store(file) as store:
        assert store.get("unit", keys).keys() == keys
