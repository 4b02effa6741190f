"""What an answer rests on: each change of it is seen, and nothing else."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from compilelint.recall.grounds import Grounds, Seen, looked_at, program, seen


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / "inner").mkdir(parents=True)
    for name in ("a.py", "book.ipynb", "data.csv", ".gitignore", "inner/b.py"):
        (made / name).write_text("1234")
    return made


def look(folder: Path) -> Seen:
    files = ("pyproject.toml", "../outside.toml", "inner")
    return seen(looked_at(Grounds((str(folder), str(folder / "inner")), tuple(str(folder / each) for each in files))))


def rewritten_as_it_was_dated(file: Path) -> None:
    before = file.stat()
    file.write_text("4321")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced_by_another_as_old(file: Path) -> None:
    before = file.stat()
    other = file.with_name("other")
    other.write_text("4321")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)


CHANGES: dict[str, Callable[[Path], object]] = {
    "rewritten": lambda folder: (folder / "inner/b.py").write_text("longer than it was"),
    "rewritten with the size and the time that it had": lambda folder: rewritten_as_it_was_dated(folder / "a.py"),
    "replaced by one of the same size and time": lambda folder: replaced_by_another_as_old(folder / "a.py"),
    "added": lambda folder: (folder / "c.py").write_text(""),
    "added below": lambda folder: (folder / "inner/c.ipynb").write_text(""),
    "removed": lambda folder: (folder / "a.py").unlink(),
    "renamed": lambda folder: (folder / "a.py").rename(folder / "z.py"),
    "made a directory": lambda folder: ((folder / "a.py").unlink(), (folder / "a.py").mkdir()),
    "made a link": lambda folder: ((folder / "a.py").unlink(), (folder / "a.py").symlink_to("inner/b.py")),
    "a link that leads nowhere": lambda folder: ((folder / "a.py").unlink(), (folder / "a.py").symlink_to("gone")),
    "a notebook": lambda folder: (folder / "book.ipynb").write_text("other"),
    "what git ignores": lambda folder: (folder / ".gitignore").write_text("a.py"),
    "what git ignores further in": lambda folder: (folder / "inner/.gitignore").write_text("a.py"),
    "an environment": lambda folder: (folder / "inner/pyvenv.cfg").write_text(""),
    "a configuration": lambda folder: (folder / "pyproject.toml").write_text(""),
    "a nested configuration": lambda folder: (folder / "inner/pyproject.toml").write_text(""),
    "a file elsewhere": lambda folder: (folder / "../outside.toml").write_text(""),
    "a new directory": lambda folder: (folder / "new").mkdir(),
    "a directory that is gone": lambda folder: shutil.rmtree(folder / "inner"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_is_seen(change: Callable[[Path], object], folder: Path) -> None:
    before = look(folder)
    assert look(folder) == before
    change(folder)
    assert look(folder).digest != before.digest


@pytest.mark.parametrize("name", ["data.csv", "new.txt", "inner/notes.md", "inner/b.pyc"])
def test_what_is_no_source_does_not_count(name: str, folder: Path) -> None:
    before = look(folder)
    (folder / name).write_text("other")
    assert look(folder).digest == before.digest


def test_what_changed_just_now_is_not_settled(folder: Path) -> None:
    began = max(file.stat().st_ctime_ns for file in (folder, folder / "inner", *folder.rglob("*")))
    assert not look(folder).settled(began)
    assert not look(folder).settled(began + 1_900_000_000)
    assert look(folder).settled(began + 2_100_000_000)


def test_a_directory_from_which_something_was_taken_just_now_is_not_settled(folder: Path) -> None:
    began = max(file.stat().st_ctime_ns for file in (folder, *folder.rglob("*"))) + 60_000_000_000
    assert look(folder).settled(began)
    (folder / "data.csv").unlink()
    os.utime(folder, ns=(began, began))
    assert not look(folder).settled(began)


def test_the_program_is_another_with_another_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone"), *sys.path])
    before = seen(program())
    assert seen(program()) == before
    installed = tmp_path / "torch-2.9.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Version: 2.9.0")
    os.utime(installed / "METADATA", ns=(10**18, 10**18))
    os.utime(installed, ns=(10**18, 10**18))
    with_torch = seen(program())
    assert with_torch.digest != before.digest
    os.utime(installed / "METADATA", ns=(10**18, 10**18 + 1))
    assert seen(program()).digest != with_torch.digest
    (tmp_path / "notes.txt").touch()
    installed.rename(tmp_path / "torch-2.10.0.dist-info")
    renamed = seen(program())
    assert renamed.digest not in (before.digest, with_torch.digest)
    (tmp_path / "gone").write_bytes(b"an archive with packages")
    assert seen(program()).digest != renamed.digest


def test_the_program_is_another_with_another_page_or_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from compilelint import installed

    (tmp_path / "rules").mkdir()
    (tmp_path / "package").mkdir()
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path / "package"))
    (tmp_path / "package" / "a.py").write_text("1")
    before = seen(program())
    (tmp_path / "rules" / "CL101-x.md").write_text("1")
    with_page = seen(program())
    assert with_page.digest != before.digest
    (tmp_path / "package" / "a.py").write_text("12")
    assert seen(program()).digest != with_page.digest
