"""docs/configuration.md says what the configuration may hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compilelint.project import config, trace_config
from compilelint.project.configs import PER_FILE

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


def _keys(title: str) -> set[str]:
    """The keys in the table of a section."""
    section = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    (text,) = (each for each in section if each.startswith(title))
    return set(re.findall(r"^\| `([\w-]+)`", text, re.MULTILINE))


def test_every_key_of_a_directory_is_on_the_page() -> None:
    assert _keys("What is looked for in a file") == {key.replace("_", "-") for key in PER_FILE} | {"extend"}


def test_every_key_of_the_run_is_on_the_page() -> None:
    of_files = {key.replace("_", "-") for key in PER_FILE}
    assert _keys("What is for the whole run") == config._KEYS.keys() - of_files


def test_every_key_of_runs_is_on_the_page() -> None:
    assert _keys("`[tool.compilelint.trace]`") == trace_config._KEYS.keys()


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
def test_examples_are_valid(tmp_path: Path, block: str) -> None:
    (tmp_path / "research").mkdir()
    parts = re.split(r"^# (\S*pyproject\.toml).*\n", block, flags=re.MULTILINE)
    files = dict(zip(parts[1::2], parts[2::2], strict=True)) or {"pyproject.toml": block}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for name in files:
        assert config.read_config(tmp_path / name).keys
