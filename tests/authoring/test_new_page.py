from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.authoring import new_page
from compilelint.authoring.new_page import NewPage, NewPageError, begin_page
from compilelint.catalog import load_page, load_rules
from compilelint.project.config import Config


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(folder: Path, *patterns: str) -> Config:
    return Config(file=folder / "pyproject.toml", extra_rules=patterns)


def begin(project: Path, family: str = "ACME1", name: str = "no-reads", *patterns: str) -> NewPage:
    return begin_page(family, name, None, config(project, *patterns))


def test_the_page_is_written_and_well_formed(project: Path) -> None:
    page = begin(project)
    assert page.path == project / "lint" / "ACME101-no-reads.md"
    assert load_page(page.path, {}).code == "ACME101"


def test_it_goes_where_the_projects_pages_are(project: Path) -> None:
    assert begin(project, "ACME1", "a", "own/pages/*.md").path.parent == project / "own" / "pages"


@pytest.mark.parametrize("pattern", ["**/*.md", "ru?es/*.md"])
def test_a_pattern_that_names_no_one_folder_is_not_followed(project: Path, pattern: str) -> None:
    assert begin(project, "ACME1", "a", pattern).path.parent == project / "lint"


def test_a_folder_that_is_asked_for_is_made(project: Path) -> None:
    page = begin_page("ACME1", "a", project / "x" / "y", config(project, "lint/*.md"))
    assert page.path == project / "x" / "y" / "ACME101-a.md"
    assert any('extra-rules = ["x/y/*.md"]' in note for note in page.notes)


def test_codes_of_built_in_and_own_pages_are_taken(project: Path) -> None:
    last = max(rule.code for rule in load_rules() if rule.code.startswith("CL1"))
    assert begin(project, "CL1", "a").path.stem == f"CL{int(last[2:]) + 1}-a"
    (project / "own").mkdir()
    (project / "own" / "ACME107-broken.md").write_text("not yet a page")
    assert begin(project, "ACME1", "b", "own/*.md").path.stem == "ACME108-b"


@pytest.mark.parametrize("name", ["tensor-item", "taken"])
def test_a_name_that_is_taken_is_refused(project: Path, name: str) -> None:
    begin(project, "ACME1", "taken")
    with pytest.raises(NewPageError, match=f"the name '{name}' is taken by"):
        begin(project, "ACME1", name)


def test_it_is_told_how_check_finds_the_page(project: Path) -> None:
    assert any('extra-rules = ["lint/*.md"]' in note for note in begin(project).notes)
    assert begin(project, "ACME1", "b", "lint/*.md").notes == ()


def test_our_letters_in_a_project_of_others_are_noted(project: Path) -> None:
    (note,) = begin(project, "CL1", "a", "lint/*.md").notes
    assert note.startswith("codes that begin with CL are compilelint's own")


def test_in_our_own_checkout_it_goes_to_the_rules(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "rules").mkdir()
    monkeypatch.setattr(new_page.catalog, "rules_directory", lambda: project / "rules")
    page = begin_page("CL1", "a", None, Config())
    assert (page.path, page.notes) == (project / "rules" / "CL101-a.md", ())


def test_a_folder_that_cannot_be_made_is_told(project: Path) -> None:
    (project / "lint").write_text("a file")
    with pytest.raises(NewPageError, match=r"ACME101-no-reads\.md: "):
        begin(project)
