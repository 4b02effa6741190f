from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.catalog import load_rules
from compilelint.rendering import rendered
from compilelint.report.formats import Look
from tests.report.make import finding, report

FOUND = report(finding(path="a.py"))


def test_paths_are_relative_to_what_a_format_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path / "project")
    shown = {name: rendered(FOUND, tmp_path / "project", (), name, Look()).text for name in ("json", "github", "full")}
    assert json.loads(shown["json"])["findings"][0]["path"] == "a.py"
    assert "file=project/a.py" in shown["github"]
    assert shown["full"].startswith("a.py:12:17:")


def test_a_format_gets_the_rules_and_the_source_that_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\n" * 9 + "def only_here():\n\n        scale = x.sum().item()\n")
    page = rendered(FOUND, tmp_path, load_rules(), "html", Look()).text
    assert "only_here" in page
    assert 'id="CL101"' in page


def test_there_is_no_other_format() -> None:
    with pytest.raises(KeyError):
        rendered(FOUND, Path(), (), "parchment", Look())
