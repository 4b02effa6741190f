"""Where checks remember, and how that is undone."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from compilelint.check import CheckOptions, memory, run_check, survey
from compilelint.check.memory import cache_file, clean, tool_digest
from compilelint.cli import run


def test_each_project_has_a_file_of_its_own(tmp_path: Path) -> None:
    one, other = cache_file(tmp_path, Path("/a/net")), cache_file(tmp_path, Path("/b/net"))
    assert one != other
    assert one == cache_file(tmp_path, Path("/a/net"))
    assert one.parent == tmp_path
    assert one.name.startswith("net-")


def test_clean_removes_caches_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    for project in ("/a/net", "/b/net"):
        cache_file(folder, Path(project)).touch()
    (folder / "net-0123456789abcdef.answer.json").touch()
    mine = folder / "notes.txt"
    mine.touch()
    assert run(["clean", "--cache-dir", str(folder)]) == 0
    assert capsys.readouterr().out == f"Removed 2 caches from {folder}\n"
    assert list(folder.iterdir()) == [mine]
    mine.unlink()
    cache_file(folder, Path("/a/net")).touch()
    assert clean(folder) == 1
    assert not folder.exists()
    assert clean(folder) == 0


def test_where_there_is_too_much_the_caches_of_other_projects_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, source = tmp_path / "cache", tmp_path / "project" / "a.py"
    folder.mkdir()
    source.parent.mkdir()
    source.write_text("import torch\n")
    mine = folder / "mine.sqlite"
    others = [cache_file(folder, Path(f"/net{number}")) for number in range(4)]
    for day, file in enumerate([mine, *others]):
        file.write_bytes(bytes(1000))
        os.utime(file, (day * 86_400, day * 86_400))
    assert run(["check", str(source), "--cache-dir", str(folder)]) == 0
    assert all(file.exists() for file in others)
    cache_file(folder, source.parent).unlink()
    monkeypatch.setattr(memory, "_MOST_BYTES", sum(file.stat().st_size for file in folder.iterdir()) - 2500)
    assert run(["check", str(source), "--cache-dir", str(folder)]) == 0
    assert [file.exists() for file in [mine, *others]] == [True, False, False, True, True]
    assert cache_file(folder, source.parent).exists()


def test_another_page_or_another_evidence_is_another_tool(tmp_path: Path) -> None:
    page = tmp_path / "ACME101-x.md"
    page.write_text("one")
    before = tool_digest([page])
    assert before == tool_digest([page])
    assert before != tool_digest([])
    page.write_text("other")
    after = tool_digest([page])
    assert after != before
    (tmp_path / "evidence.json").write_text("{}")
    assert tool_digest([page]) != after


def test_a_check_remembers_unless_it_is_told_not_to(tmp_path: Path) -> None:
    source, folder = tmp_path / "a.py", tmp_path / "cache"
    source.write_text("import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n")
    os.utime(source, (later := time.time() + 60, later))
    assert run(["check", str(source), "--cache-dir", str(folder), "--no-cache"]) == 1
    assert not folder.exists()
    assert run(["check", str(source), "--cache-dir", str(folder)]) == 1
    assert [each.suffix for each in folder.iterdir()] == [".sqlite"] * 2, "what is as young as this gets no answer"
    assert run(["check", str(source), "--cache-dir", str(folder)]) == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["--cache-dir", "taken"], {}, True),
        ([], {"COMPILELINT_CACHE_DIR": "taken"}, True),
        ([], {}, False),
        ([], {"COMPILELINT_DEBUG": "1"}, True),
        (["--no-cache", "--cache-dir", "taken"], {}, False),
    ],
)
def test_who_asks_for_memory_is_told_that_there_is_none(
    arguments: list[str],
    environment: dict[str, str],
    told: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COMPILELINT_CACHE_DIR")
    for name, value in {"XDG_CACHE_HOME": str(tmp_path / "taken"), **environment}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "taken").touch()
    (tmp_path / "a.py").write_text("import torch\n")
    assert run(["check", *arguments]) == 0
    notes = capsys.readouterr().err
    assert notes.count("; not all of this check is remembered\n") == told
    assert notes.count("\n") == told


def test_what_is_accepted_is_told_in_the_same_order_whatever_was_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "_YOUNG_NS", -(10**12))  # nothing is too young
    text = "import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()  # compilelint: ignore\n"
    files = [tmp_path / name for name in ("a.py", "b.py")]
    for file in files:
        file.write_text(text)
    options = CheckOptions(paths=(tmp_path,), cache=tmp_path / "cache")
    run_check(options)
    files[0].write_text(f"{text}\n")
    assert [finding.path for finding in run_check(options).accepted] == ["a.py", "b.py"]
