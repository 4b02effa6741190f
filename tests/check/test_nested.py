"""Directories that say something of their files: what is reported of them, and that nothing else depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.check import CheckError, CheckOptions, run_check

NET = """\
import torch
from elsewhere import unknown


@torch.compile
def step(x: torch.Tensor):
    print(x.item())
    return unknown(x).item()
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a.py", "sub/b.py", "sub/gen/c.py", "sub/deep/d.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(NET)
    (tmp_path / ".git").mkdir()
    _say(tmp_path, "ignore = ['CL201']\ntarget-torch = '2.13'")
    _say(
        tmp_path / "sub",
        "exclude = ['gen']\nignore = ['CL101']\n[tool.compilelint.per-file-ignores]\n'deep/*' = ['ALL']",
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _say(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.compilelint]\n{text}\n")


def _found(*paths: str, **options: object) -> list[tuple[str, str]]:
    asked = CheckOptions(paths=tuple(map(Path, paths or (".",))), **options)  # type: ignore[arg-type]
    return [(finding.path, finding.code) for finding in run_check(asked).report.findings]


def test_each_directory_has_its_own_rules(tree: Path) -> None:
    assert _found() == [("a.py", "CL101"), ("sub/b.py", "CL201")]


def test_what_is_found_does_not_depend_on_what_is_named_or_from_where(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run_check(CheckOptions()).report.findings
    for folder, path in ((".", "sub"), ("sub", "."), (".", "sub/b.py"), ("sub/deep", "..")):
        monkeypatch.chdir(tree / folder)
        assert run_check(CheckOptions(paths=(Path(path),))).report.findings == whole[1:]


def test_the_command_line_is_above_all_of_them(tree: Path) -> None:
    assert _found(select=("CL201",)) == [("a.py", "CL201"), ("sub/b.py", "CL201")]
    assert ("sub/b.py", "CL101") in _found(extend_select=("CL101",))
    assert _found(exclude=("sub/*.py",)) == [("a.py", "CL101")]


def test_how_sure_a_finding_must_be_is_said_by_directory(tree: Path) -> None:
    (tree / "sub/pyproject.toml").write_text("[tool.compilelint]\nselect = ['CL101']\nmin-confidence = 'low'\n")
    assert [code for path, code in _found() if path == "sub/b.py"] == ["CL101", "CL101"]
    assert [code for path, code in _found() if path == "a.py"] == ["CL101"]


def test_a_named_configuration_switches_them_off(tree: Path) -> None:
    (tree / "only.toml").write_text("select = ['CL101']\n")
    assert {path for path, _ in _found(config_file=tree / "only.toml")} == {
        "a.py",
        "sub/b.py",
        "sub/gen/c.py",
        "sub/deep/d.py",
    }


def test_what_has_no_effect_is_warned_of_once(tree: Path) -> None:
    _say(tree / "sub", "roots = 'explicit'")
    (warning,) = run_check(CheckOptions()).warnings
    assert "sub/pyproject.toml:2: roots has no effect here" in warning


def test_a_wrong_one_is_an_error(tree: Path) -> None:
    _say(tree / "sub", "ignore = ['CL9999']")
    with pytest.raises(CheckError, match=r"sub/pyproject\.toml:2: .*CL9999"):
        _found()
    _say(tree / "sub", "selct = 1")
    with pytest.raises(CheckError, match=r"sub/pyproject\.toml:2: unknown key"):
        _found()
