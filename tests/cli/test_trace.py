"""`compilelint trace`: the program's arguments are the program's, and each option does what it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from compilelint.cli.trace import trace
from compilelint.runtime.session import read_session

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        y = self.layer(x)
        if "print" in sys.argv:
            print("in forward")
        return y

net, loss = Net(), nn.MSELoss()
if "compile" in sys.argv:
    net = torch.compile(net)
for number in range(3):
    loss(net(torch.ones(4, 2)), torch.zeros(4, 2)).backward()
    print("step", number, flush=True)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    return path


def _run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "compilelint", "trace", "--session", "s.jsonl", *arguments],
        cwd=script.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "program", "format_"),
    [
        (["train.py", "--format", "x", "-m", "y"], ("train.py", "--format", "x", "-m", "y"), "text"),
        (["-o", "json", "train.py", "-o", "x"], ("train.py", "-o", "x"), "json"),
        (["--format=json", "-m", "pkg.train", "--strict"], ("-m", "pkg.train", "--strict"), "json"),
        (["-o", "json", "-mpkg", "-o", "x"], ("-m", "pkg", "-o", "x"), "json"),
        (["-o", "json", "-c", "import torch", "-m"], ("-c", "import torch", "-m"), "json"),
        (["--strict", "--", "train.py", "--help"], ("train.py", "--help"), "text"),
        (["train.py", "--", "x"], ("train.py", "--", "x"), "text"),
    ],
)
def test_options_end_where_the_program_begins(arguments: list[str], program: tuple[str, ...], format_: str) -> None:
    params = trace.make_context("trace", arguments, help_option_names=["-h", "--help"]).params
    assert (params["program"], params["format_"]) == (program, format_)


def test_something_is_to_be_run_or_read() -> None:
    with pytest.raises(click.UsageError, match="either a program"):
        trace.main([], standalone_mode=False)


def test_logs_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="no logs"):
        trace.main(["--from-torch-trace", str(tmp_path)], standalone_mode=False)


def test_a_program_without_torch_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text("import sys; print('ran'); sys.exit(int(sys.argv[1]))")
    done = _run(path, "plain.py", "0")
    assert (done.returncode, done.stdout) == (2, "ran\n")
    assert "did not import torch" in done.stderr
    failed = _run(path, "plain.py", "7")
    assert (failed.returncode, failed.stderr) == (7, "")


@pytest.mark.slow
def test_a_program_that_never_compiles_proves_nothing_unless_asked_to(script: Path) -> None:
    done = _run(script, "--no-check", "train.py")
    assert done.returncode == 2
    assert "Nothing was compiled" in done.stdout
    assert "hint: with --compile, " in done.stderr
    done = _run(script, "--no-check", "--compile", "--backend", "eager", "train.py")
    assert done.returncode == 0, done.stdout
    assert "--compile wrapped Net" in done.stdout
    assert "MSELoss" not in done.stdout


@pytest.mark.slow
def test_a_model_of_torchs_own_class_is_compiled_too(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import torch\nnet = torch.nn.Sequential(torch.nn.Linear(2, 2))\nnet(torch.ones(1, 2))\n")
    done = _run(script, "--no-check", "--compile", "--backend", "eager", "train.py")
    assert done.returncode == 0, done.stdout
    assert "Compiled 1 piece of code" in done.stdout
    assert "--compile wrapped Sequential" in done.stdout


def test_a_notebook_is_not_run() -> None:
    done = CliRunner().invoke(trace, ["notes.ipynb"])
    assert done.exit_code == 2
    assert "a notebook is no program" in done.output


NESTED = """
import torch
from torch import nn

class Inner(nn.Module):
    def forward(self, x):
        print("inner")
        return x + 1

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x) * 2

torch.compile(Outer(), backend="eager")(torch.ones(2))
"""


@pytest.mark.slow
def test_the_way_to_a_break_has_each_forward_on_it(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(NESTED)
    _, _, told = _run(script, "--no-check", "-o", "json", "train.py").stdout.partition("{")
    report = json.loads("{" + told)
    stack = report["observations"][0]["stack"]
    assert [frame["line"] for frame in stack if frame["path"] == "train.py"] == [18, 16, 7]


PENALTY = """
import torch

critic = torch.compile(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh()), backend="aot_eager")
x = torch.randn(2, 2, requires_grad=True)
(gradient,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
gradient.pow(2).sum().backward()
"""


@pytest.mark.slow
def test_what_ends_a_program_after_it_was_compiled_confirms_what_predicted_it(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PENALTY)
    done = _run(tmp_path / "train.py", "-o", "json", "train.py")
    report = json.loads("{" + done.stdout.partition("{")[2])
    assert [(each["code"], each["line"], each["verdict"]) for each in report["findings"]] == [("CL744", 6, "confirmed")]
    assert [(each["type"], each["line"]) for each in report["observations"]] == [("compile-error", 7)]
    assert done.returncode == 1


@pytest.mark.slow
def test_strict_ends_the_program_with_one_screen(script: Path) -> None:
    done = _run(script, "--no-check", "--strict", "--backend", "eager", "train.py", "compile", "print")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "step 0" not in done.stdout
    assert f"{script}:14 in forward" in done.stderr
    assert 'print("in forward")' in done.stderr
    assert "Failed to trace builtin operator" in done.stderr
    footer = read_session(script.parent / "s.jsonl").footer
    assert footer is not None
    assert footer.stopped == "strict"


@pytest.mark.slow
def test_stop_after_backend_and_live(script: Path) -> None:
    done = _run(
        script,
        *("--stop-after", "2", "--backend", "eager", "--live", "-o", "json", "--no-check"),
        *("train.py", "compile", "print"),
    )
    steps, _, report = done.stdout.partition("{")
    assert steps.count("step ") == 2
    found: dict[str, Any] = json.loads("{" + report)
    assert [each["type"] for each in found["observations"]] == ["graph-break"]
    assert done.returncode == 1
    assert re.search(r"graph break  .*`print`.*train\.py:14", done.stderr), done.stderr
    session = read_session(script.parent / "s.jsonl")
    assert session.header.settings == {"stop_after": 2, "backend": "eager", "live": True}
    assert session.footer is not None
    assert (session.footer.stopped, session.footer.exit_code) == ("stop-after", 0)
    assert session.footer.calls == (2,)


@pytest.mark.slow
def test_a_run_is_not_lost_where_its_report_fails(script: Path) -> None:
    (script.parent / "bad.toml").write_text('[tool.compilelint]\nselect = ["NOPE9"]\n')
    done = _run(script, "--config", "bad.toml", "train.py", "compile")
    assert done.returncode == 2
    assert "error: bad.toml:2: no rule is called 'NOPE9'; what was recorded is in s.jsonl, " in done.stderr
    assert read_session(script.parent / "s.jsonl").footer is not None
