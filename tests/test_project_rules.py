from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.catalog.model import Outcome
from compilelint.catalog.pages import parse_page
from compilelint.project.config import Config
from compilelint.project_rules import ProjectRules, RulesError, extra_pages, project_rules
from tests.catalog.make import PAGE, PATH


def own_page(folder: Path, code: str, name: str) -> Path:
    path = folder / f"{code}-{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.replace("CL101", code).replace("tensor-item", name), encoding="utf-8")
    return path


def config(folder: Path, *patterns: str) -> Config:
    return Config(file=folder / "pyproject.toml", extra_rules=patterns)


def test_the_projects_own_rules_stand_among_the_built_in(tmp_path: Path) -> None:
    page = own_page(tmp_path / "lint", "ACME101", "no-reads")
    rules = project_rules(config(tmp_path, "lint/*.md"))
    codes = [rule.code for rule in rules.every]
    assert codes[0] == "ACME101"
    assert "CL101" in codes
    assert [rule.code for rule in rules.own] == ["ACME101"]
    assert rules.pages == {"ACME101": page}


def test_a_page_that_two_patterns_name_is_one(tmp_path: Path) -> None:
    page = own_page(tmp_path / "lint", "ACME101", "no-reads")
    assert extra_pages(config(tmp_path, "lint/*.md", "**/ACME*.md")) == (page,)


def test_a_readme_beside_the_pages_is_none(tmp_path: Path) -> None:
    page = own_page(tmp_path, "ACME101", "no-reads")
    (tmp_path / "README.md").write_text("# Our rules\n")
    assert extra_pages(config(tmp_path, "*.md")) == (page,)


def test_a_pattern_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"pyproject\.toml: extra-rules: no file matches 'lint/\*\.md'"):
        extra_pages(config(tmp_path, "lint/*.md"))


def test_a_page_that_is_not_well_formed_is_told_with_its_line(tmp_path: Path) -> None:
    own_page(tmp_path, "ACME101", "no-reads").write_text("# none\n", encoding="utf-8")
    with pytest.raises(RulesError, match=r"ACME101-no-reads\.md:1: "):
        project_rules(config(tmp_path, "*.md"))


def rules(**measured: bool) -> ProjectRules:
    """Built-in rules that were measured on three versions, and one of the project's own on these (`v2_13_0`)."""
    page = parse_page(PAGE, PATH)
    hazard = {"default": Outcome(True, (4,))}
    known = replace(page, evidence={"item": dict.fromkeys(("2.5.1", "2.13.0", "2.15.0"), hazard)})  # type: ignore[arg-type]
    versions = {version[1:].replace("_", "."): {"default": Outcome(shown, (4,))} for version, shown in measured.items()}
    own = replace(page, code="ACME101", name="no-reads", evidence={"item": versions} if versions else {})  # type: ignore[dict-item]
    return ProjectRules((known,), (own,), {"ACME101": Path("lint/ACME101-no-reads.md")})


def holds_at(found: ProjectRules, target: str) -> bool | None:
    """Whether the project's rule holds there; None without evidence."""
    (own,) = found.judged_by(target).own
    versions = own.evidence.get("item")
    return None if versions is None else versions[target]["default"].hazard


def test_what_was_measured_holds_for_newer_torch_and_not_for_older() -> None:
    found = rules(v2_13_1=True)
    assert [holds_at(found, target) for target in found.measured] == [None, True, True]


def test_the_newest_that_is_not_newer_than_the_target_decides() -> None:
    found = rules(v2_5_0=True, v2_9_1=False, v2_14_0=True)
    assert [holds_at(found, target) for target in found.measured] == [True, False, True]


def test_what_is_newer_than_all_built_in_evidence_holds_for_the_newest_target() -> None:
    found = rules(v2_17_0=True)
    assert [holds_at(found, target) for target in found.measured] == [None, None, True]


def test_a_projects_measurements_do_not_change_the_targets() -> None:
    assert rules(v2_13_1=True).measured == ("2.5.1", "2.13.0", "2.15.0")


def test_a_rule_without_evidence_is_told_of() -> None:
    (told,) = rules().unproven("2.13.0")
    assert told.startswith("lint/ACME101-no-reads.md: `item` was not measured as it is now")
    assert told.endswith("`compilelint rule --test lint/ACME101-no-reads.md --write-evidence`")


def test_a_rule_that_was_measured_on_newer_torch_only_is_told_of() -> None:
    (told,) = rules(v2_9_1=True).unproven("2.5.1")
    assert told.endswith("ACME101 finds nothing for torch 2.5.1: it was measured on 2.9.1 and newer")


def test_a_rule_that_holds_is_not_told_of() -> None:
    assert list(rules(v2_9_1=True).unproven("2.13.0")) == []
