from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.cli import run

BREAKS = "import torch\n\n@torch.compile\ndef step(x: torch.Tensor) -> float:\n    return x.sum().item()\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(BREAKS)
    return tmp_path / "train.py"


def test_files_are_written_beside_what_is_shown(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    as_json, as_text = tmp_path / "new folder" / "a.json", tmp_path / "a.txt"
    assert run(["check", str(source), "--output", f"json={as_json}", "--output", f"text={as_text}"]) == 1
    assert "\x1b[" in capsys.readouterr().out
    assert json.loads(as_json.read_text())["findings"][0]["code"] == "CL101"
    assert "CL101" in as_text.read_text()
    assert "\x1b[" not in as_text.read_text()


def test_a_file_that_cannot_be_written_takes_nothing_from_the_others(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "a.txt"
    assert run(["check", str(source), "--output", f"json={tmp_path}", "--output", f"text={written}"]) == 2
    shown = capsys.readouterr()
    assert "CL101" in shown.out
    assert "CL101" in written.read_text()
    assert shown.err == f"error: {tmp_path}: Is a directory\n"


@pytest.mark.parametrize("value", ["json", "xml=a", "json=", "=a"])
def test_an_output_that_cannot_be_meant(value: str, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(source), "--output", value]) == 2
    assert "FORMAT=FILE expected, FORMAT one of text, full, " in capsys.readouterr().err


def test_statistics_are_a_format_with_an_option_of_its_own(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(source), "--statistics"]) == 1
    by_option = capsys.readouterr().out
    assert by_option.startswith("1  CL101  tensor-item")
    assert run(["check", str(source), "-o", "statistics"]) == 1
    assert capsys.readouterr().out == by_option
