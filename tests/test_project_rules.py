from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.project.config import Config
from compilelint.project_rules import RulesError, extra_pages, project_rules
from tests.catalog.make import PAGE


def own_page(folder: Path, code: str, name: str) -> Path:
    path = folder / f"{code}-{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.replace("CL101", code).replace("tensor-item", name), encoding="utf-8")
    return path


def config(folder: Path, *patterns: str) -> Config:
    return Config(file=folder / "pyproject.toml", extra_rules=patterns)


def test_the_projects_own_rules_stand_among_the_built_in(tmp_path: Path) -> None:
    own_page(tmp_path / "lint", "ACME101", "no-reads")
    codes = [rule.code for rule in project_rules(config(tmp_path, "lint/*.md"))]
    assert codes[0] == "ACME101"
    assert "CL101" in codes


def test_a_page_that_two_patterns_name_is_one(tmp_path: Path) -> None:
    page = own_page(tmp_path / "lint", "ACME101", "no-reads")
    assert extra_pages(config(tmp_path, "lint/*.md", "**/ACME*.md")) == (page,)


def test_a_pattern_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"pyproject\.toml: extra-rules: no file matches 'lint/\*\.md'"):
        extra_pages(config(tmp_path, "lint/*.md"))


def test_a_page_that_is_not_well_formed_is_told_with_its_line(tmp_path: Path) -> None:
    own_page(tmp_path, "ACME101", "no-reads").write_text("# none\n", encoding="utf-8")
    with pytest.raises(RulesError, match=r"ACME101-no-reads\.md:1: "):
        project_rules(config(tmp_path, "*.md"))
