"""A check held against a baseline, with the real engine on small files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from compilelint.check import CheckError, CheckOptions, CheckResult, run_check, update
from compilelint.new_baseline import write_new

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        a = x.sum().item()
        print(a)
        return a
"""
FILE = Path("compilelint-baseline.json")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\ntarget-torch = '2.13'\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "net.py").write_text(NET)
    (tmp_path / "src" / "other.py").write_text(NET.replace("print(a)", "pass"))
    monkeypatch.chdir(tmp_path)
    write_new(CheckOptions())
    return tmp_path


def _check(*paths: str, **options: object) -> CheckResult:
    asked = {"baseline": FILE, **options}
    return run_check(CheckOptions(paths=tuple(map(Path, paths or (".",))), **asked))  # type: ignore[arg-type]


def _edit(file: Path, change: Callable[[str], str]) -> None:
    file.write_text(change(file.read_text()))


def _gone(result: CheckResult) -> list[tuple[str, str]]:
    assert result.baseline is not None
    return [(entry.path, entry.code) for entry in result.baseline.gone]


def test_after_a_baseline_nothing_is_reported_from_wherever_one_looks(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for paths in ((".",), ("src",), ("src/net.py",)):
        result = _check(*paths)
        assert not result.report.findings
        assert result.exit_code == 0
        assert result.baseline is not None
        assert not result.baseline.out_of_date
    assert _check().report.in_baseline == 3
    monkeypatch.chdir(project / "src")
    assert not _check("net.py", baseline=Path("..") / FILE).report.findings
    monkeypatch.chdir("/")
    assert not _check(str(project / "src"), baseline=project / FILE).report.findings


def test_moved_lines_and_other_names_elsewhere_change_nothing(project: Path) -> None:
    _edit(project / "src/net.py", lambda text: text.replace("class Net", "# moved\n" * 50 + "class Net"))
    _edit(project / "src/other.py", lambda text: text.replace("return a", "b = a\n        return b"))
    assert not _check().report.findings


def test_one_more_equal_line_is_exactly_one_finding(project: Path) -> None:
    _edit(
        project / "src/net.py", lambda text: text.replace("        a = x", "        a = x.sum().item()\n        a = x")
    )
    result = _check()
    assert [each.code for each in result.report.findings] == ["CL101"]
    assert result.exit_code == 1


def test_a_moved_file_has_nothing_new_and_its_entries_follow(project: Path) -> None:
    (project / "src/net.py").rename(project / "src/model.py")
    result = _check("src")
    assert not result.report.findings
    assert "2 of files that were moved" in update(result.baseline)
    assert {each["path"] for each in json.loads(FILE.read_text())["entries"]} == {"src/model.py", "src/other.py"}
    assert not _check().baseline.out_of_date  # type: ignore[union-attr]


def test_what_is_mended_is_gone_and_removed_while_nothing_is_added(project: Path) -> None:
    _edit(project / "src/net.py", lambda text: text.replace("print(a)", "breakpoint()"))
    result = _check()
    assert _gone(result) == [("src/net.py", "CL201")]
    assert len(result.report.findings) == 1
    assert update(result.baseline).endswith("removed 1 that are gone; 2 entries")
    assert "CL201" not in FILE.read_text()
    assert len(_check().report.findings) == 1


def test_a_file_that_was_removed_is_gone_only_for_who_looked_there(project: Path) -> None:
    (project / "src/net.py").unlink()
    (project / "lib").mkdir()
    (project / "lib/a.py").write_text("")
    assert _gone(_check("lib")) == []
    assert len(_gone(_check("src"))) == 2
    assert len(_gone(_check("src/other.py"))) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"ignore": ("CL201",)},
        {"select": ("CL1",)},
        {"root": ("src/other.py::Net.forward",)},
        {"roots": "explicit"},
        {"target_torch": "2.9"},
        {"exclude": ("net.py",)},
    ],
)
def test_what_was_not_looked_for_is_not_gone(project: Path, options: dict[str, object]) -> None:
    _edit(project / "src/net.py", lambda text: text.replace("print(a)", "pass"))
    assert _gone(_check()) == [("src/net.py", "CL201")]
    assert _gone(_check(**options)) == []


def test_what_roots_elsewhere_may_lead_to_is_gone_only_with_its_line(project: Path) -> None:
    _edit(project / "src/net.py", lambda text: text.replace("x: torch.Tensor", "x").replace("Module", "Undefined"))
    assert len(_gone(_check(roots=None))) == 2
    assert _gone(_check("src/net.py")) == []
    _edit(project / "src/net.py", lambda text: text.replace("print(a)", "pass"))
    assert _gone(_check("src/net.py")) == [("src/net.py", "CL201")]


def test_what_is_only_less_sure_is_not_gone(project: Path) -> None:
    assert _gone(_check(min_confidence=3)) == []


def test_a_file_that_does_not_parse_takes_nothing_away(project: Path) -> None:
    _edit(project / "src/net.py", lambda text: text + "def (:\n")
    assert _gone(_check()) == []


def test_another_torch_is_said(project: Path) -> None:
    (warning,) = _check(target_torch="2.9").warnings
    assert "was written for torch 2.13.0, this judges for 2.9.1" in warning


def test_the_configuration_names_it_from_its_own_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _edit(project / "pyproject.toml", lambda text: text + f"baseline = '{FILE}'\n")
    monkeypatch.chdir(project / "src")
    assert not run_check(CheckOptions()).report.findings
    assert run_check(CheckOptions(no_baseline=True)).report.findings
    assert run_check(CheckOptions(isolated=True)).report.findings


def test_a_missing_baseline_is_an_error(project: Path) -> None:
    with pytest.raises(CheckError, match=r"no\.json: no such file"):
        _check(baseline=Path("no.json"))


def test_without_a_baseline_there_is_nothing_to_update(project: Path) -> None:
    with pytest.raises(CheckError, match="no baseline to update"):
        update(_check(no_baseline=True).baseline)
