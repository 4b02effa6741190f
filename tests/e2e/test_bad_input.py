"""What cannot be read gets one line with its path, the other files are checked, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import compilelint
from compilelint.check import reading
from compilelint.check import run as check_run
from compilelint.cli import run
from compilelint.project.configs import Configs
from compilelint.project.discovery import Selection, discover

HAZARD = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.sum().item()
"""
HAZARD_LINE = "good.py:6:20: CL101"

# What is wrong, the file's bytes, how its line begins.
UNREADABLE = {
    "syntax-error": (b"import torch\n\ndef f(x:\n    return x\n", "bad.py:3: error: "),
    "syntax-error-far-from-torch": (b"x = = 1\n", "bad.py:1: error: "),
    "undecodable": (b"import torch\ns = '\xff'\n", "bad.py:2: error: byte 0xff is not valid utf-8"),
    "unknown-encoding": (
        b"# -*- coding: klingon -*-\nimport torch\n",
        "bad.py:1: error: unknown encoding 'klingon' in the coding comment",
    ),
    "wrong-encoding": (
        b"# coding: ascii\nimport torch\ns = '\xc3\xa9'\n",
        "bad.py:3: error: byte 0xc3 is not valid ascii",
    ),
    "null-byte": (b"import torch\n\0\n", "bad.py:2: error: holds a null byte"),
    "python-2": (b"import torch\nprint 'loss', 1\n", "bad.py:2: error: "),
    "nested-parentheses": (b"import torch\nx = " + b"(" * 10_000 + b")" * 10_000 + b"\n", "bad.py"),
    "nested-calls": (b"import torch\nx = " + b"-" * 100_000 + b"1\n", "bad.py"),
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with one file that has a hazard."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.py").write_text(HAZARD)
    return tmp_path


def _error_lines(output: str) -> list[str]:
    return [line for line in output.split("\n") if "error: " in line]


@pytest.mark.parametrize("why", UNREADABLE)
@pytest.mark.parametrize(("arguments", "code"), [((".",), 1), (("bad.py", "good.py"), 2)], ids=["below", "named"])
def test_an_unreadable_file(
    why: str,
    arguments: tuple[str, ...],
    code: int,
    tree: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    content, message = UNREADABLE[why]
    (tree / "bad.py").write_bytes(content)
    assert run(["check", *arguments]) == code
    output = capsys.readouterr()
    (line,) = _error_lines(output.out)
    assert line.startswith(message)
    assert len(line) < 200
    assert HAZARD_LINE in output.out
    assert output.err == ""


@pytest.mark.parametrize("why", UNREADABLE)
def test_an_unreadable_file_alone_is_no_file_without_hazards(
    why: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "bad.py").write_bytes(UNREADABLE[why][0])
    assert run(["check", "bad.py"]) == 2
    assert capsys.readouterr().out.endswith("\nNothing was checked; 1 error.\n")


@pytest.mark.parametrize("content", ["", "\n", "# only a comment", "\f\n"])
def test_an_empty_file_is_no_error(content: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "empty.py").write_text(content)
    assert run(["check", "."]) == 1
    output = capsys.readouterr()
    assert _error_lines(output.out) == []
    assert HAZARD_LINE in output.out


def test_a_file_that_vanishes_after_it_was_found(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "bad.py").write_text(HAZARD)

    def discover_then_remove(paths: tuple[Path, ...], configs: Configs) -> Selection:
        selection = discover(paths, configs)
        (tree / "bad.py").unlink()
        return selection

    monkeypatch.setattr(reading, "discover", discover_then_remove)
    assert run(["check", "."]) == 1
    output = capsys.readouterr()
    assert _error_lines(output.out) == ["bad.py: error: no such file"]
    assert HAZARD_LINE in output.out


def test_a_path_that_is_not_there(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "bad.py", "good.py"]) == 2
    output = capsys.readouterr()
    assert _error_lines(output.out) == ["bad.py: error: no such file"]
    assert HAZARD_LINE in output.out


def test_a_link_loop(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "loop").symlink_to(tree)
    (tree / "self.py").symlink_to(tree / "self.py")
    assert run(["check", "."]) == 1
    output = capsys.readouterr()
    assert output.out.count(HAZARD_LINE) == 1
    assert _error_lines(output.out) == []


def test_a_directory_and_a_file_without_permission(tree: Path) -> None:
    for name in ("secret", "open"):
        (tree / name).mkdir()
        (tree / name / "a.py").write_text(HAZARD)
    (tree / "secret").chmod(0)
    (tree / "open/a.py").chmod(0)
    try:
        finished = _unprivileged(["check", "."])
    finally:
        (tree / "secret").chmod(0o700)
    assert _error_lines(finished.stdout) == [
        "open/a.py: error: permission denied",
        "secret: error: permission denied",
    ]
    assert HAZARD_LINE in finished.stdout
    assert (finished.returncode, finished.stderr) == (1, "")


def _unprivileged(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "compilelint", *arguments]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root may read everything, and there is no setpriv")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())


def _environment() -> dict[str, str]:
    repository = str(Path(compilelint.__file__).parents[1])
    path = os.pathsep.join(filter(None, [repository, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "CL1O1"], "error: no rule is called 'CL1O1'; did you mean 'CL"),
        (["--ignore", "tensor-itm"], "error: no rule is called 'tensor-itm'; did you mean 'tensor-item'?"),
        (["--target-torch", "two"], "error: 'two' is not a torch version; measured: "),
        (["--target-torch", "0.4"], "error: torch 0.4 is older than all that was measured: "),
        (["--config", "gone.toml"], "error: gone.toml: no such file or directory"),
        (["--root", "gone.py::f"], "error: "),
        (["--root", "good.py::Nat.forward"], "error: "),
        (["--root", "good.py"], "error: "),
        (["--selct", "CL101"], "error: No such option"),
        (["--format", "xml"], "error: Invalid value for"),
        (["-"], "error: - (standard input) cannot be combined with other paths"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _told_in_one_line(run(["check", "good.py", *arguments]), message, capsys)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            'selct = ["CL1"]',
            "error: {file}:2: unknown key 'selct' in [tool.compilelint]; did you mean 'select'?",
        ),
        (
            'select = ["tensor-itm"]',
            "error: {file}:2: no rule is called 'tensor-itm'; did you mean 'tensor-item'?",
        ),
        (
            'select = ["CL1"]\nignore = [\n  "tensor-item",\n  "tensor-itm",\n]',
            "error: {file}:5: no rule is called 'tensor-itm'; did you mean 'tensor-item'?",
        ),
        (
            '[tool.compilelint.per-file-ignores]\n"a/*" = ["CL2"]\n"b/*" = ["tensor-itm"]',
            "error: {file}:4: per-file-ignores: no rule is called 'tensor-itm'; did you mean 'tensor-item'?",
        ),
        ("select = 1", "error: {file}:2: select must be a list of strings, not 1"),
        ('target-torch = "x"', "error: {file}:2: 'x' is not a torch version; measured: "),
        ("select = [", "error: {file}:"),
    ],
)
def test_wrong_configuration(table: str, message: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tree / "pyproject.toml"
    file.write_text(f"[tool.compilelint]\n{table}\n")
    _told_in_one_line(run(["check", "good.py"]), message.format(file=file), capsys)


def _told_in_one_line(code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = capsys.readouterr()
    assert code == 2
    assert output.out == ""
    assert output.err.startswith(message)
    assert output.err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the directory")
@pytest.mark.parametrize("command", ["check", "baseline", "rule"])
def test_where_the_current_directory_is_gone_that_is_told(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    _told_in_one_line(run([command]), "error: the current directory is gone\n", capsys)


def test_an_unknown_code_in_a_suppression_is_told_with_the_nearest(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "bad.py").write_text("x = 1  # compilelint: ignore[tensor-itm]\n")
    assert run(["check", "bad.py"]) == 1
    output = capsys.readouterr().out
    assert "bad.py:1:8: CL001 no rule is called `tensor-itm`; did you mean 'tensor-item'?" in output


def test_an_internal_error_is_one_line_and_2(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: Any, **keywords: Any) -> None:
        raise RuntimeError("oops\nand more")

    monkeypatch.setattr(check_run, "analyze_files", fails)
    assert run(["check", "."]) == 2
    output = capsys.readouterr()
    assert output.err.startswith("internal error: RuntimeError: oops and more; please report it")
    assert output.err.count("\n") == 1
    monkeypatch.setenv("COMPILELINT_DEBUG", "1")
    assert run(["check", "."]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_file_name_that_no_encoding_can_write(tree: Path, make_odd_file: Callable[[Path], None]) -> None:
    make_odd_file(tree)
    finished = subprocess.run(
        [sys.executable, "-m", "compilelint", "check", "."],
        capture_output=True,
        check=False,
        env={**_environment(), "PYTHONIOENCODING": "ascii"},
    )
    assert finished.stdout.count(b": CL101 ") == 2
    assert (finished.returncode, finished.stderr) == (1, b"")


@pytest.fixture
def make_odd_file() -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        try:
            Path(os.fsdecode(os.fsencode(folder) + b"/odd\xff.py")).write_text(HAZARD)
        except OSError:
            pytest.skip("the file system takes only UTF-8 names")

    return make
