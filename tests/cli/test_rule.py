from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilelint.catalog import load_rules
from compilelint.cli import run

RULE = load_rules()[0]


def out_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["rule", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("word", [RULE.code, RULE.name])
def test_shows_a_page_by_code_or_name(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of([word], capsys)
    assert text.startswith(f"# {RULE.code} {RULE.name}\n")
    assert "## What to do instead" in text
    assert "\x1b[" not in text


def test_tells_for_the_python_and_the_torch_that_the_project_is_judged_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text('[tool.compilelint]\ntarget-python = "3.11"\ntarget-torch = "2.9.1"\n')
    asked = ["CL408", "--config", str(config)]
    assert "On torch 2.9 it holds in: default" in out_of(asked, capsys)
    assert "On torch 2.9 it holds in: no mode" in out_of([*asked, "--target-python", "3.12"], capsys)
    assert "On torch 2.8 it holds in: default" in out_of([*asked, "--target-torch", "2.8.0"], capsys)


def test_lists_every_rule_once(capsys: pytest.CaptureFixture[str]) -> None:
    header, *lines = out_of(["--list"], capsys).splitlines()
    assert header.split()[:4] == ["CODE", "NAME", "EFFECT", "SEVERITY"]
    assert [line.split()[:2] for line in lines] == [[rule.code, rule.name] for rule in load_rules()]


def test_json_of_a_rule_is_its_whole_page(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(out_of([RULE.code, "--format", "json"], capsys))
    assert record["schema_version"] == 1
    assert (record["code"], record["prose"]) == (RULE.code, RULE.prose)


def test_json_of_the_list_says_where_each_rule_holds(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(out_of(["--list", "-o", "json"], capsys))["rules"]
    assert [each["code"] for each in listed] == [rule.code for rule in load_rules()]
    assert all(set(each) == {"code", "name", "effect", "severity", "holds"} for each in listed)


def test_colours_only_where_they_are_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in out_of([RULE.code], capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([RULE.name[:-1] + "x"], f"did you mean '{RULE.name}'?"),
        (["CL000"], "there is no rule 'CL000'"),
        ([], "name one rule, or ask for --list"),
        ([RULE.code, "--list"], "name one rule, or ask for --list"),
        ([RULE.code, "--target-torch", "new"], "'new' is not a torch version"),
        ([RULE.code, "--target-python", "new"], "'new' is not a Python version"),
        ([RULE.code, "CL102"], "name one rule, or ask for --list"),
        (["--new", "CL1"], "--new needs a family and a name"),
        (["--new", "CL0", "my-hazard"], "there is no family 'CL0'"),
        ([RULE.code, "--directory", "lint"], "--directory goes with --new"),
        ([RULE.code, "--config", "none.toml"], "none.toml: "),
        (["--test"], "--test needs a page"),
        (["--test", "none.md"], "none.md: no such file"),
        ([RULE.code, "--write-evidence"], "--write-evidence goes with --test"),
        (["--test", "--new", "a", "b"], "exclude each other"),
    ],
)
def test_what_cannot_be_shown_is_told_on_stderr_with_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rule", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


def test_a_projects_own_rule_is_begun_listed_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.compilelint]\nextra-rules = ["lint/*.md"]\n')
    page = Path("lint", "ACME101-my-hazard.md")
    begun = out_of(["--new", "ACME1", "my-hazard"], capsys)
    assert begun == (f"{page} is begun: replace what it marks with TODO, then `compilelint rule --test {page}`\n")
    assert out_of(["ACME101"], capsys).startswith("# ACME101 my-hazard\n")
    assert "ACME101  my-hazard" in out_of(["--list"], capsys)
    assert "ACME101" not in out_of(["--list", "--isolated"], capsys)
