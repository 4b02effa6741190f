"""Which configuration holds where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.project.config import Config, ConfigError
from compilelint.project.configs import Configs, find_configs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub/deep").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.compilelint]\nignore = ['CL1']\n")
    (tmp_path / "sub/pyproject.toml").write_text("[tool.compilelint]\nignore = ['CL2']\ntarget-torch = '2.9'\n")
    (tmp_path / "other/pyproject.toml").write_text("[project]\n")
    return tmp_path


@pytest.mark.parametrize("start", ["", "sub", "sub/deep", "other"])
def test_the_nearest_holds_for_files_wherever_one_starts(tree: Path, start: str) -> None:
    configs = find_configs(None, False, tree / start)
    assert configs.top.file == tree / "pyproject.toml"
    found = {directory: configs.of(tree / directory).ignore for directory in ("", "sub", "sub/deep", "other")}
    assert found == {"": ("CL1",), "sub": ("CL2",), "sub/deep": ("CL2",), "other": ("CL1",)}


def test_what_belongs_to_the_run_is_warned_of(tree: Path) -> None:
    configs = find_configs(None, False, tree)
    assert list(configs.warnings()) == []
    configs.of(tree / "sub/deep")
    assert list(configs.warnings()) == [
        f"{tree}/sub/pyproject.toml:3: target-torch has no effect here: it is for the whole run, which "
        f"{tree}/pyproject.toml configures"
    ]


def test_what_is_extended_is_not_warned_of(tree: Path) -> None:
    (tree / "pyproject.toml").write_text("[tool.compilelint]\ntarget-torch = '2.9'\n")
    (tree / "sub/pyproject.toml").write_text("[tool.compilelint]\nextend = '../pyproject.toml'\nselect = ['CL1']\n")
    configs = find_configs(None, False, tree)
    assert configs.of(tree / "sub").select == ("CL1",)
    assert list(configs.warnings()) == []


def test_a_file_that_is_named_holds_alone_and_from_here(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "other")
    configs = find_configs(tree / "sub/pyproject.toml", False, tree)
    assert configs.of(tree / "sub") is configs.of(tree / "other") is configs.top
    assert configs.top.base == tree / "other"


def test_isolated_means_none(tree: Path) -> None:
    assert find_configs(None, True, tree).of(tree / "sub") == Config()


def test_the_command_line_is_above_all(tree: Path) -> None:
    configs = Configs(Config(), nested=True, adapt=lambda config: replace(config, extend_exclude=("x",)))
    assert configs.of(tree / "sub").extend_exclude == ("x",)


def test_a_wrong_one_is_told_where_it_holds(tree: Path) -> None:
    (tree / "sub/pyproject.toml").write_text("[tool.compilelint]\nselct = 1\n")
    configs = find_configs(None, False, tree)
    assert configs.of(tree / "other")
    with pytest.raises(ConfigError, match="unknown key 'selct'"):
        configs.of(tree / "sub/deep")
