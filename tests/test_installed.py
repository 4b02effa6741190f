"""Where an installation keeps its rules, and what it consists of."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint import installed


@pytest.mark.parametrize("layout", ["site-packages/compilelint/_rules", "checkout/rules"])
def test_rules_are_found_in_a_wheel_and_in_a_checkout(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / layout
    folder.mkdir(parents=True)
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path / layout.split("/")[0] / "compilelint"))
    assert installed.rules_folder() == str(folder)


def test_an_installation_without_rules_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_PACKAGE", str(tmp_path / "compilelint"))
    with pytest.raises(FileNotFoundError, match="rule pages are missing"):
        installed.rules_folder()


def test_its_parts_are_its_modules_its_templates_and_its_pages() -> None:
    root = Path(installed.__file__).parents[1]
    names = {Path(path).relative_to(root).as_posix() for path, _, _ in installed.parts()}
    assert {"compilelint/installed.py", "compilelint/report/html/templates/page.html.j2"} <= names
    assert {"rules/evidence.json", "rules/CL321-explicit-graph-break.md"} <= names
    assert not any("__pycache__" in name for name in names)
