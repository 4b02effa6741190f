"""`compilelint baseline`, and the options of other commands that read what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.cli import run

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.sum().item()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "net.py").write_text(NET)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_was_written_and_how_to_use_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["baseline"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Wrote 1 entry to compilelint-baseline.json.\n")
    assert "compilelint check --baseline compilelint-baseline.json" in said
    assert run(["check", "--baseline", "compilelint-baseline.json"]) == 0
    assert "No new hazards" in (summary := capsys.readouterr().out)
    assert "1 in the baseline" in summary


def test_an_outdated_baseline_is_said_and_updated_on_demand(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["baseline"])
    (project / "net.py").write_text(NET.replace(".item()", ""))
    capsys.readouterr()
    check = ["check", "--baseline", "compilelint-baseline.json"]
    assert run(check) == 0
    assert "1 of hazards that are gone: --update-baseline mends it" in capsys.readouterr().err
    assert run([*check, "--update-baseline"]) == 0
    assert capsys.readouterr().err == "compilelint-baseline.json: removed 1 that are gone; 0 entries\n"
    assert run(check) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--baseline", "no.json"], "error: no.json: no such file; `compilelint baseline` writes one"),
        (["check", "--update-baseline"], "error: there is no baseline to update"),
        (["trace", "--baseline", "no.json", "net.py"], "error: no.json: no such file"),
        (["baseline", "--from", "no.jsonl"], "error: "),
        (["baseline", "-"], "error: a baseline is of files"),
        (["baseline", "--output", "no/b.json"], "error: no/b.json: no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_2(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1
