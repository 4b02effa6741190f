from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from compilelint.cli import run
from compilelint.report.stack import StackFrame
from compilelint.runtime.session import to_line
from tests.runtime import make

ROOT = Path(__file__).parents[2]
SOURCE = """\
import torch

@torch.compile(backend="eager")
def step(x: torch.Tensor, count: int) -> torch.Tensor:
    print("step")
    return x * count

if __name__ == "__main__":
    for count in (2, 3):
        step(torch.ones(3), count)
"""


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session in which `step` broke at its `print`."""
    script = tmp_path / "train.py"
    script.write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    code = StackFrame(str(script), 3, "step")
    broke = make.item(
        code=code,
        stack=(StackFrame(str(script), 5, "step"),),
        gb_type="Failed to trace builtin operator",
        gb_id="GB0059",
        explanation="Dynamo does not know how to trace builtin operator `print`",
        context="builtin print",
    )
    given = make.session(broke, make.end(code=code), cwd=str(tmp_path))
    assert given.footer is not None
    file = tmp_path / "s.jsonl"
    file.write_text("".join(map(to_line, (given.header, *given.events, given.footer))))
    return file


def test_a_session_is_shown_as_text(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(session)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("Run train.py --steps 4 (torch 2.13.0; exit code 0)\n")
    assert "train.py:5: graph break: " in shown
    assert "CL201 print-call is confirmed" in shown


def test_json_follows_the_schema(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(session), "-o", "json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(shown)
    assert [(each["path"], each["line"], each["verdict"]) for each in shown["observations"]] == [
        ("train.py", 5, "confirmed")
    ]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--no-check"], 1),
        (["--max-breaks", "1"], 0),
        (["--max-breaks", "0"], 1),
        (["--max-breaks", "0", "--exit-zero"], 0),
        (["--max-compile-seconds", "0.5"], 1),
        (["--max-compile-seconds", "1.5"], 0),
    ],
)
def test_exit_codes(session: Path, options: list[str], code: int) -> None:
    assert run(["report", str(session), *options]) == code


def test_no_check_leaves_out_the_findings(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["report", "--no-check", str(session)])
    assert "CL201" not in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["missing.jsonl"], ["--max-breaks", "-1", "s.jsonl"]])
def test_what_cannot_be_shown_is_exit_code_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["report", *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.slow
def test_a_real_run_reads_the_same_offline(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "train.py").write_text(SOURCE)

    def compilelint(*arguments: str) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, "-m", "compilelint", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        report: dict[str, object] = json.loads(done.stdout[done.stdout.index("{") :])
        report.pop("summary")
        return report

    live = compilelint("trace", "--session", "s.jsonl", "-o", "json", "train.py")
    assert compilelint("report", "s.jsonl", "-o", "json") == live
    shown = {(each["type"], each["line"], each["verdict"]) for each in live["observations"]}  # type: ignore[attr-defined]
    assert shown == {("graph-break", 5, "confirmed"), ("recompile", 5, "runtime-only")}


def test_a_run_in_the_formats_of_services(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [f"--output={name}={tmp_path / name}" for name in ("sarif", "gitlab", "junit", "markdown")]
    assert run(["report", str(session), "-o", "concise", "--max-breaks", "3", *outputs]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.split(": ", 1)[1].startswith('CL201 `print("step")` prints inside the compiled region')
    (sarif,) = json.loads((tmp_path / "sarif").read_text())["runs"]
    assert sarif["automationDetails"] == {"id": "compilelint/trace/"}
    assert sarif["tool"]["driver"]["rules"][0]["help"]["markdown"].startswith("# CL201 print-call")
    assert json.loads((tmp_path / "gitlab").read_text())[0]["location"] == {
        "path": "train.py",
        "lines": {"begin": 5, "end": 5},
    }
    assert '<testcase name="budget max-breaks"' in (tmp_path / "junit").read_text()
    assert "| max-breaks | 3 | 1 | kept |" in (tmp_path / "markdown").read_text()
