"""The command itself: what it imports, how it ends, what goes to which stream."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import compilelint
from compilelint import cli
from compilelint.cli import commands

HEAVY = {"torch", "numpy", "libcst", "rich", "tomllib", "tomli", "pathspec", "ast", "tokenize", "packaging"}
REPOSITORY = Path(compilelint.__file__).parents[1]


def _imported(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPOSITORY
    )
    return {name.partition(".")[0] for name in finished.stderr.split()}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"], ["rule", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    ran = _imported(f"from compilelint.cli import run\nassert run({arguments!r}) == 0")
    # What Python's own start-up brought along is not ours.
    assert ran & HEAVY <= _imported("import click") & HEAVY


def test_a_check_never_imports_torch(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n\n@torch.compile\ndef f(x):\n    return x.item()\n")
    ran = _imported(f"from compilelint.cli import run\nrun(['check', {str(tmp_path)!r}])")
    assert not ran & {"torch", "numpy", "libcst", "rich"}


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"compilelint {compilelint.__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in commands.COMMANDS)


def test_an_unknown_command_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["chekc"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "error: there is no command 'chekc'; did you mean 'check'?\n"


def test_without_a_command_it_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([]) == 2
    assert capsys.readouterr().err.startswith("Usage: compilelint")


def test_an_interrupt_is_quiet_and_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **keywords: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands.cli, "main", interrupted)
    assert cli.run(["check"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_reader_that_goes_away_is_no_error_message() -> None:
    # More than a pipe holds, so that writing meets the closed end.
    names = [f"gone_{number:05}_{'x' * 200}.py" for number in range(1000)]
    process = subprocess.Popen(
        [sys.executable, "-m", "compilelint", "check", "--isolated", *names],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=REPOSITORY,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 2
