"""`compilelint check`: options reach the check, its report reaches the right stream in the right format."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from compilelint import check as check_room
from compilelint.analysis.workers import processors
from compilelint.check import CheckOptions, CheckResult
from compilelint.cli import run
from compilelint.report.confidence import Confidence
from compilelint.report.model import Problem, Report


class _Recorder:
    """Stands in for the check: keeps what it was asked, answers with a fixed report."""

    def __init__(self) -> None:
        self.options: CheckOptions | None = None
        self.stdin: bytes | None = None
        self.report = Report(target_torch="2.13", files=1, functions_in_regions=2, duration_s=0.1)
        self.exit_code = 0

    def __call__(self, options: CheckOptions, *, stdin: bytes | None, progress: object, unfreed: object) -> CheckResult:
        self.options = options
        self.stdin = stdin
        return CheckResult(self.report, Path.cwd(), self.exit_code)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> _Recorder:
    recorder = _Recorder()
    monkeypatch.setattr(check_room, "run_check", recorder)
    return recorder


def test_without_options_the_current_directory_is_checked_as_configured(recorder: _Recorder, own_cache: Path) -> None:
    assert run(["check"]) == 0
    assert recorder.options == CheckOptions(cache=own_cache, jobs=processors())
    assert recorder.stdin is None


def test_every_option_arrives(recorder: _Recorder) -> None:
    arguments = """check a.py b --select CL1,tensor-item --select CL2 --ignore CL101 --extend-select CL3,
        --min-confidence low --target-torch 2.9 --target-python 3.12 --root m.py::f --root n.py::N.g --roots explicit
        --exclude x --exclude y,z --no-respect-gitignore --force-exclude --config c.toml --isolated
        --follow transformers --follow timm,diffusers --python .venv --stdin-filename s.py --exit-zero
        --jobs 3 --no-cache"""
    assert run(arguments.split()) == 0
    assert recorder.options == CheckOptions(
        paths=(Path("a.py"), Path("b")),
        stdin_filename=Path("s.py"),
        config_file=Path("c.toml"),
        isolated=True,
        select=("CL1", "tensor-item", "CL2"),
        ignore=("CL101",),
        extend_select=("CL3",),
        exclude=("x", "y,z"),
        respect_gitignore=False,
        force_exclude=True,
        root=("m.py::f", "n.py::N.g"),
        roots="explicit",
        target_torch="2.9",
        target_python="3.12",
        min_confidence=Confidence.LOW,
        follow=("transformers", "timm", "diffusers"),
        python=Path(".venv"),
        exit_zero=True,
        jobs=3,
    )


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_exit_code_is_the_check_s(recorder: _Recorder, code: int) -> None:
    recorder.exit_code = code
    assert run(["check"]) == code


def test_standard_input_arrives_undecoded(recorder: _Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x\xff")))
    assert run(["check", "-"]) == 0
    assert recorder.stdin == b"x\xff"


@pytest.mark.parametrize("option", ["-o", "--format"])
def test_json_goes_to_stdout_alone(recorder: _Recorder, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", option, "json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["schema_version"] == 1
    assert output.err == ""


def test_text_has_no_colour_off_a_terminal_unless_forced(
    recorder: _Recorder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    run(["check"])
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(["check"])
    assert "\x1b" in capsys.readouterr().out


def test_a_check_of_no_file_at_all_says_so(recorder: _Recorder, capsys: pytest.CaptureFixture[str]) -> None:
    recorder.report = Report(target_torch="2.13", files=0, functions_in_regions=0, duration_s=0.1)
    assert run(["check"]) == 0
    assert capsys.readouterr().err == "warning: no Python files found under the given paths\n"


def test_a_missing_path_is_not_called_no_files_as_well(recorder: _Recorder, capsys: pytest.CaptureFixture[str]) -> None:
    errors = (Problem("gone.py", "no such file"),)
    recorder.report = Report(target_torch="2.13", files=0, functions_in_regions=0, duration_s=0.1, errors=errors)
    run(["check"])
    output = capsys.readouterr()
    assert "gone.py: error: no such file" in output.out
    assert output.err == ""


NET = (
    "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        return x.item()\n"
)


def test_ignores_are_added_with_the_reason_and_the_word_after_is_a_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(NET)
    assert run(["check", "--isolated", "--add-ignores", "a.py"]) == 0
    assert capsys.readouterr().out == "Added 1 comment in 1 file, for 1 finding.\n"
    assert (tmp_path / "a.py").read_text().endswith("  # compilelint: ignore[CL101] accepted on adoption\n")
    assert run(["check", "--isolated", "--add-ignores=once per epoch", "."]) == 0
    assert (tmp_path / "b.py").read_text().endswith("  # compilelint: ignore[CL101] once per epoch\n")
    assert run(["check", "--isolated", "."]) == 0


def test_only_what_is_new_gets_a_comment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(NET)
    assert run(["baseline", "--isolated"]) == 0
    (tmp_path / "b.py").write_text(NET)
    assert run(["check", "--isolated", "--baseline", "compilelint-baseline.json", "--add-ignores"]) == 0
    assert (tmp_path / "a.py").read_text() == NET
    assert "ignore[CL101]" in (tmp_path / "b.py").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--statistics", "-o", "json"], "--statistics is -o statistics: it excludes -o json"),
        (["--add-ignores", "--update-baseline"], "--add-ignores writes comments alone"),
        (["--add-ignores", "--output", "json=a.json"], "--add-ignores writes comments alone"),
    ],
)
def test_of_options_that_exclude_each_other_none_is_passed_over(
    options: list[str], message: str, recorder: _Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", *options]) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")


def test_ignores_cannot_be_added_to_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--add-ignores", "-"]) == 2
    assert capsys.readouterr().err == "error: --add-ignores writes into files, not into standard input\n"
