"""What checks remember, where disks are full, folders cannot be written and others write at the same time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import compilelint

NET = "import torch\n@torch.compile\ndef f{0}(x: torch.Tensor):\n    return x.item()\n"
FILES = 40


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.compilelint]\n")
    for number in range(FILES):
        (folder / f"net{number}.py").write_text(NET.format(number))
    return folder


def start(project: Path, cache: Path, prefix: Sequence[str] = (), **options: object) -> subprocess.Popen[str]:
    command = [*prefix, sys.executable, "-m", "compilelint", "check", ".", "-o", "concise", "--cache-dir", str(cache)]
    environment = {**os.environ, "PYTHONPATH": str(Path(compilelint.__file__).parents[1])}
    return subprocess.Popen(
        command,
        cwd=project,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


def finds_all(process: subprocess.Popen[str]) -> str:
    """What the process says besides."""
    output, notes = process.communicate(timeout=100)
    assert (output.count(": CL101 "), process.returncode) == (FILES, 1), notes
    return notes


@pytest.mark.slow
def test_checks_that_run_at_once_share_their_memory(project: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for _ in range(3):
        for process in [start(project, cache) for _ in range(3)]:
            assert finds_all(process) == ""
        next(iter(project.glob("*.py"))).touch()
    (file,) = cache.glob("project-*.sqlite")
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT count(*) FROM entry WHERE kind = 'unit'").fetchone() == (FILES,)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.skipif(os.name == "nt", reason="limits the size of files as Unix does")
@pytest.mark.parametrize("room", [0, 5_000, 30_000])
def test_on_a_full_disk_nothing_is_lost_but_memory(project: Path, tmp_path: Path, room: int) -> None:
    cache = tmp_path / "cache"
    limited = start(project, cache, preexec_fn=_with_room(room))
    notes = finds_all(limited)
    assert notes.startswith(f"warning: {cache}: ")
    assert notes.count("\n") == 1
    assert finds_all(start(project, cache)) == ""
    assert finds_all(start(project, cache, preexec_fn=_with_room(10**9))) == ""


def _with_room(size: int) -> Callable[[], None]:
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
@pytest.mark.parametrize("remembered", [False, True])
def test_in_a_folder_that_cannot_be_written_nothing_is_remembered(
    project: Path, tmp_path: Path, remembered: bool
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    if remembered:
        assert finds_all(start(project, cache)) == ""
    for file in (*cache.iterdir(), cache):
        file.chmod(0o500 if file is cache else 0o400)
    try:
        assert finds_all(start(project, cache, _unprivileged())).startswith(f"warning: {cache}: ")
    finally:
        cache.chmod(0o700)


def _unprivileged() -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("root may write everywhere, and there is no setpriv")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
