"""What docs/formats.md shows is what is made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compilelint.cli import run
from compilelint.report.formats import ALIASES, FORMATS

PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
BLOCKS: dict[str, str] = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))


def test_every_format_is_in_the_table() -> None:
    documented = set(re.findall(r"`([a-z-]+)`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))))
    assert set(FORMATS) | set(ALIASES) <= documented


@pytest.mark.parametrize("name", [name for name in BLOCKS if name in FORMATS])
def test_the_examples_are_the_output(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train.py").write_text(BLOCKS["train.py"])
    monkeypatch.chdir(tmp_path)
    assert run(["check", "-o", name, "train.py", "--isolated", "--target-torch", "2.13.0"]) == 1
    assert timeless(capsys.readouterr().out) == timeless(BLOCKS[name])


def timeless(text: str) -> str:
    return re.sub(r' time="[\d.]+"', "", text)
