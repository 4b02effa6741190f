"""Findings limited to lines that changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from compilelint.check import CheckError, CheckOptions, run_check

NET = """\
import torch


@torch.compile
def step(x: torch.Tensor):
    y = x.sum(
    ).item()
    print(y)
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text(NET)
    for command in ("init", "add .", "-c user.name=n -c user.email=e commit -m first"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "sub")
    return tmp_path


def _found(*paths: str) -> list[tuple[str, int]]:
    result = run_check(CheckOptions(paths=tuple(map(Path, paths or (".",))), since="HEAD", isolated=True))
    assert result.exit_code == bool(result.report.findings)
    return [(finding.path, finding.line) for finding in result.report.findings]


def test_what_was_there_is_counted_and_not_shown(repository: Path) -> None:
    assert _found() == []
    result = run_check(CheckOptions(since="HEAD", isolated=True))
    assert result.report.on_unchanged_lines == 2


def test_a_finding_is_new_if_any_of_its_lines_is(repository: Path) -> None:
    (repository / "sub/a.py").write_text(NET.replace("    ).item()", "    ) .item()"))
    assert _found("a.py") == [("sub/a.py", 6)]


def test_moved_lines_do_not_count(repository: Path) -> None:
    (repository / "sub/a.py").write_text("# moved\n" * 50 + NET)
    assert _found(str(repository)) == []


def test_a_new_file_counts_as_a_whole(repository: Path) -> None:
    (repository / "b.py").write_text(NET)
    assert _found("..") == [("b.py", 6), ("b.py", 8)]


@pytest.mark.parametrize(
    ("options", "stdin", "message"),
    [
        ({"since": "nope"}, None, "--since: 'nope' is no commit"),
        ({"since": "HEAD", "paths": (Path("/"),), "exclude": ("*",)}, None, "--since: / is in no git repository"),
        ({"since": "HEAD", "paths": (Path("-"),)}, b"", "--since compares files"),
    ],
)
def test_what_git_cannot_tell_is_an_error(
    repository: Path, options: dict[str, object], stdin: bytes | None, message: str
) -> None:
    with pytest.raises(CheckError, match=message):
        run_check(CheckOptions(isolated=True, **options), stdin=stdin)  # type: ignore[arg-type]
