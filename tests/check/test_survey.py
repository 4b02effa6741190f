"""What is known of files before any is looked into, and when it is not taken from memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compilelint.analysis.files import digest_of
from compilelint.analysis.store import Store
from compilelint.check import sources
from compilelint.check import survey as module
from compilelint.check.survey import Survey, files_of, remember, remembered, survey
from compilelint.project.files import SourceFile
from compilelint.source.text import SourceText

LONG_AGO_NS = 10**18


@pytest.fixture(autouse=True)
def _nothing_is_too_young(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_YOUNG_NS", -(10**12))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache.sqlite")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read, as it happens."""
    names: list[str] = []
    read_data = sources.read_data

    def noting(path: Path) -> bytes:
        names.append(path.name)
        return read_data(path)

    monkeypatch.setattr(sources, "read_data", noting)
    return names


def write(file: Path, text: str, changed_ns: int = LONG_AGO_NS) -> None:
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(changed_ns, changed_ns))


def seen(folder: Path, store: Store, *, tool: str = "tool", given: dict[Path, str | bytes] | None = None) -> Survey:
    files = [SourceFile(path, path.name) for path in sorted(folder.iterdir())]
    known = remembered(store, folder, tool)
    found = survey(files, given or {}, known)
    remember(store, folder, tool, known, found.stamped)
    return found


def test_what_has_not_changed_is_not_read_again(folder: Path, store: Store, read: list[str]) -> None:
    write(folder / "a.py", "import torch  # compilelint: ignore\n")
    write(folder / "b.py", "import a\n")
    first = seen(folder, store)
    assert read == ["a.py", "b.py"]
    a, b = first.states["a.py"], first.states["b.py"]
    assert (a.digest, a.characters) == (digest_of("import torch  # compilelint: ignore\n"), 36)
    assert (a.facts.mentions_torch, b.facts.mentions_torch) == (True, False)
    assert (a.may_suppress, b.may_suppress) == (True, False)
    read.clear()
    assert seen(folder, store) == first
    assert read == []


def test_only_what_changed_is_read(folder: Path, store: Store, read: list[str]) -> None:
    write(folder / "a.py", "import torch\n")
    write(folder / "b.py", "import a\n")
    seen(folder, store)
    read.clear()
    write(folder / "a.py", "import torch, b\n", LONG_AGO_NS + 1)
    assert seen(folder, store).states["a.py"].digest == digest_of("import torch, b\n")
    assert read == ["a.py"]


def test_what_is_gone_is_forgotten_when_something_else_changes(folder: Path, store: Store) -> None:
    write(folder / "a.py", "import torch\n")
    write(folder / "gone.py", "import a\n")
    seen(folder, store)
    assert b"gone.py" in store.get("files", [str(folder)])[str(folder)]
    (folder / "gone.py").unlink()
    write(folder / "a.py", "import torch, b\n", LONG_AGO_NS + 1)
    seen(folder, store)
    assert b"gone.py" not in store.get("files", [str(folder)])[str(folder)]


def test_a_text_of_the_same_size_with_the_times_of_the_old_one_is_seen(folder: Path, store: Store) -> None:
    write(folder / "a.py", "x = 1\n")
    seen(folder, store)
    write(folder / "a.py", "x = 2\n")
    assert seen(folder, store).states["a.py"].digest == digest_of("x = 2\n")


def test_what_changed_just_now_is_not_remembered(
    folder: Path, store: Store, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_YOUNG_NS", 2_000_000_000)
    (folder / "a.py").write_text("x = 1\n")
    seen(folder, store)
    seen(folder, store)
    assert read == ["a.py", "a.py"]


def test_what_another_program_saw_in_a_file_is_not_used(folder: Path, store: Store, read: list[str]) -> None:
    write(folder / "a.py", "x = 1\n")
    seen(folder, store)
    seen(folder, store, tool="newer")
    assert read == ["a.py", "a.py"]
    seen(folder, store, tool="newer")
    assert read == ["a.py", "a.py"]


def test_memory_that_cannot_be_understood_is_none(folder: Path, store: Store) -> None:
    write(folder / "a.py", "x = 1\n")
    first = seen(folder, store)
    store.put("files", {str(folder): b"\x81\xa4tool\xa1\xff"})
    assert seen(folder, store) == first


def test_what_is_not_saved_yet_counts_and_is_not_remembered(folder: Path, store: Store) -> None:
    file = folder / "a.py"
    write(file, "x = 1\n")
    unsaved = seen(folder, store, given={file: "x = 2\n"})
    assert unsaved.texts == {"a.py": SourceText("a.py", file, "x = 2\n")}
    assert unsaved.states["a.py"].digest == digest_of("x = 2\n")
    assert seen(folder, store).states["a.py"].digest == digest_of("x = 1\n")


def test_a_file_that_cannot_be_read_is_a_problem_each_time(folder: Path, store: Store) -> None:
    (folder / "a.py").write_bytes(b"\xff")
    for _ in range(2):
        found = seen(folder, store)
        assert [problem.path for problem in found.problems] == ["a.py"]
        assert not found.states
        assert not found.paths


def test_the_state_of_a_checked_file_wins_over_the_same_among_those_around(folder: Path, store: Store) -> None:
    file = folder / "a.py"
    write(file, "x = 1\n")
    unsaved, saved = seen(folder, store, given={file: "x = 2\n"}), seen(folder, store)
    assert files_of(folder, unsaved, saved, {}).states["a.py"].digest == digest_of("x = 2\n")
