from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.cli import run
from compilelint.report.formats import FORMATS
from compilelint.report.line_hash import line_hashes

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
    assert shown.err == f"error: {tmp_path}: is a directory\n"


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


def test_every_format_at_once_each_in_its_file(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    package = tmp_path / "package"
    package.mkdir()
    source.rename(package / "train.py")
    outputs = [f"--output={name}={tmp_path / 'out' / name}" for name in FORMATS]
    assert run(["check", str(package), *outputs]) == 1
    assert capsys.readouterr().err == ""
    written = {name: (tmp_path / "out" / name).read_text() for name in FORMATS}
    assert all("CL101" in text for text in written.values())
    # Services show files by their place in the repository.
    (result,) = json.loads(written["sarif"])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "package/train.py"
    (rule,) = json.loads(written["sarif"])["runs"][0]["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"].startswith("# CL101 tensor-item")
    hashed = line_hashes(BREAKS, {5})[5]
    assert result["partialFingerprints"]["primaryLocationLineHash"] == hashed
    assert "file=package/train.py,line=5" in written["github"]


def test_what_a_format_leaves_out_is_said_on_standard_error(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(BREAKS + "\n".join(f"@torch.compile\ndef f{n}(x):\n    return x.item()\n" for n in range(12)))
    assert run(["check", str(source), f"--output=sarif={tmp_path / 'a.sarif'}", "-o", "github"]) == 1
    shown = capsys.readouterr()
    assert shown.out.count("::warning ") == 10
    assert shown.err == "warning: github: GitHub shows 10 annotations of each level: 3 more are only in the log\n"
