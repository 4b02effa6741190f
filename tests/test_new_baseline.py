"""Baselines of checks and of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.check import CheckError, CheckOptions, run_check, update
from compilelint.new_baseline import write_new
from compilelint.report.stack import StackFrame
from compilelint.run_options import RunOptions
from compilelint.run_report import read_sessions, run_report
from compilelint.runtime.session import to_line
from tests.runtime import make

SOURCE = """\
import torch

@torch.compile
def step(x: torch.Tensor) -> torch.Tensor:
    scale = x.sum().item()
    return helper(x) * scale
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\n")
    (tmp_path / "train.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _session(folder: Path, *lines: int) -> Path:
    """A run that broke at these lines."""
    path = str(folder / "train.py")
    code = StackFrame(path, 3, "step")
    breaks = [make.item(code=code, stack=(StackFrame(path, line, "step"),)) for line in lines]
    session = make.session(*breaks, make.end(code=code), cwd=str(folder))
    file = folder / "run.jsonl"
    events = [session.header, *session.events, *([session.footer] if session.footer else [])]
    file.write_text("".join(f"{to_line(each)}\n" for each in events))
    return file


def _codes(file: Path) -> list[tuple[str, str]]:
    return [(each["code"], each["source"]) for each in json.loads(file.read_text())["entries"]]


def test_it_stands_beside_the_configuration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    written = write_new(CheckOptions(paths=(Path(".."),)))
    assert written.file.resolve() == (project / "compilelint-baseline.json").resolve()
    assert (written.entries, written.before, written.exit_code) == (1, None, 0)


def test_it_is_the_file_that_the_configuration_names(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint]\nbaseline = 'lint/known.json'\n")
    (project / "lint").mkdir()
    assert write_new(CheckOptions()).is_configured
    assert _codes(project / "lint/known.json") == [("CL101", "scale = x.sum().item()")]
    assert not run_check(CheckOptions()).report.findings
    # What is known already is written again.
    assert write_new(CheckOptions()).before == 1
    assert _codes(project / "lint/known.json") == [("CL101", "scale = x.sum().item()")]


def test_what_a_run_did_is_accepted_too(project: Path) -> None:
    session = _session(project, 5, 6)
    written = write_new(CheckOptions(), [session])
    assert _codes(written.file) == [
        ("CL901", "return helper(x) * scale"),
        ("CL101", "scale = x.sum().item()"),
        ("CL901", "scale = x.sum().item()"),
    ]
    result = run_report(read_sessions([session]), RunOptions(baseline=written.file, max_breaks=0))
    assert not result.report.findings
    assert not result.report.observations
    assert (result.report.in_baseline, result.exit_code) == (3, 0)
    alone = run_report(read_sessions([session]), RunOptions(baseline=written.file, check=False))
    assert (alone.report.observations, alone.report.in_baseline) == ((), 2)


def test_only_what_is_new_in_a_run_counts(project: Path) -> None:
    written = write_new(CheckOptions(), [_session(project, 5)])
    result = run_report(read_sessions([_session(project, 5, 6)]), RunOptions(baseline=written.file, max_breaks=0))
    assert [each.line for each in result.report.observations] == [6]
    assert result.report.run is not None
    assert [each.found for each in result.report.run.budgets] == [1]
    assert result.exit_code == 1


def test_a_configured_baseline_holds_for_runs_too(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.compilelint]\nbaseline = 'known.json'\n")
    session = _session(project, 5)
    write_new(CheckOptions(), [session])
    result = run_report(read_sessions([session]), RunOptions())
    assert (result.report.findings, result.report.observations, result.report.in_baseline) == ((), (), 2)
    # What is known is still what a new break can be about.
    shown = run_report(read_sessions([session]), RunOptions(no_baseline=True)).report
    assert [each.verdict for each in shown.findings] == ["confirmed"]
    known = json.loads((project / "known.json").read_text())
    known["entries"] = [each for each in known["entries"] if each["code"] == "CL101"]
    (project / "known.json").write_text(json.dumps(known))
    assert run_report(read_sessions([session]), RunOptions()).report.observations == ()


def test_entries_of_runs_follow_a_file_that_was_moved(project: Path) -> None:
    written = write_new(CheckOptions(), [_session(project, 5, 6)])
    (project / "train.py").rename(project / "main.py")
    update(run_check(CheckOptions(baseline=written.file)).baseline)
    entries = json.loads(written.file.read_text())["entries"]
    assert [(each["path"], each["code"]) for each in entries] == [
        ("main.py", "CL901"),
        ("main.py", "CL101"),
        ("main.py", "CL901"),
    ]


def test_what_is_no_project_gets_it_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text("")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert write_new(CheckOptions(paths=(Path("../pkg"),))).file == tmp_path / "here/compilelint-baseline.json"


def test_what_only_runs_show_stays_when_a_check_is_written_anew(project: Path) -> None:
    write_new(CheckOptions(), [_session(project, 5, 6)])
    (project / "train.py").write_text(SOURCE.replace("x.sum().item()", "x.sum()"))
    written = write_new(CheckOptions())
    assert (written.entries, written.before, written.kept) == (1, 3, 1)
    assert _codes(written.file) == [("CL901", "return helper(x) * scale")]


def test_a_file_that_cannot_be_read_is_said(project: Path) -> None:
    (project / "bad.py").write_text("import torch\ndef (:\n")
    written = write_new(CheckOptions())
    assert [each.path for each in written.errors] == ["bad.py"]
    assert written.exit_code == 1


def test_problems_are_named_from_here(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "bad.py").write_text("import torch\ndef (:\n")
    monkeypatch.chdir(project / "sub")
    assert [each.path for each in write_new(CheckOptions()).errors] == ["bad.py"]


def test_what_was_accepted_in_a_file_that_cannot_be_read_now_stays(project: Path) -> None:
    file = write_new(CheckOptions()).file
    before = file.read_text()
    (project / "train.py").write_text(f"<<<<<<< HEAD\n{SOURCE}")
    written = write_new(CheckOptions())
    assert (written.entries, written.unread) == (1, 1)
    assert file.read_text() == before


@pytest.mark.parametrize("named", ["scr", "bad.py"])
def test_nothing_is_written_if_what_is_named_cannot_be_checked(project: Path, named: str) -> None:
    (project / "bad.py").write_text("import torch\ndef (:\n")
    before = write_new(CheckOptions()).file.read_text()
    with pytest.raises(CheckError, match=named):
        write_new(CheckOptions(paths=(Path(named),)))
    assert (project / "compilelint-baseline.json").read_text() == before


def test_what_is_no_baseline_is_not_overwritten(project: Path) -> None:
    file = project / "notes.json"
    file.write_text("{}")
    with pytest.raises(CheckError, match="is no baseline"):
        write_new(CheckOptions(), output=file)
    assert file.read_text() == "{}"
