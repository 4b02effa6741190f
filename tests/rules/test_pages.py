"""Every page is well-formed, and proves each callee that it names."""

from __future__ import annotations

import importlib
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from compilelint.catalog import Example, Match, Rule, load_page, load_rules, page_paths
from compilelint.catalog.scaffold import unwritten
from tests.rules.pages import RULES, readable_rules

MATCHES = [(rule, match) for _, rule in readable_rules() for match in rule.matches]


def match_id(value: object) -> str:
    return value.code if isinstance(value, Rule) else getattr(value, "event", "")


@pytest.mark.parametrize("path", page_paths(RULES), ids=lambda path: path.stem)
def test_page_is_well_formed(path: Path) -> None:
    rule = load_page(path, {})
    for example in rule.examples:
        compile(example.source, f"{path.name}:{example.name}", "exec")


@pytest.mark.parametrize("path", page_paths(RULES), ids=lambda path: path.stem)
def test_page_is_written_to_the_end(path: Path) -> None:
    assert unwritten(path.read_text(encoding="utf-8")) == ()


def test_codes_and_names_are_unique() -> None:
    rules = load_rules()
    assert len({rule.name for rule in rules}) == len(rules) == len(page_paths(RULES))


@pytest.mark.parametrize(("rule", "match"), MATCHES, ids=match_id)
def test_each_callee_is_proven_by_its_example(rule: Rule, match: Match) -> None:
    example = next(example for example in rule.examples if example.name == match.example)
    found = {words[1] for subject in rule.proofs[match.example] if len(words := subject.split()) > 1}
    unproven = [
        callee
        for callee in match.callee
        if not any(fnmatchcase(name, callee) for name in found) and not _is_spelled(callee, example)
    ]
    assert not unproven, f"{rule.code}: not on a marked line of example {match.example!r}"


def _is_spelled(callee: str, example: Example) -> bool:
    """Whether the last part of a name stands on a marked line: of two names of one function the checker sees one."""
    lines = example.source.splitlines()
    marked = "\n".join(lines[line - 1] for line, _, _ in example.marks)
    return re.search(rf"\b{re.escape(callee.rpartition('.')[2])}\b", marked) is not None


@pytest.mark.parametrize(
    ("rule", "match"),
    [(rule, match) for rule, match in MATCHES if "{use}" in (match.message or rule.message)],
    ids=match_id,
)
def test_what_is_said_of_a_use_is_what_a_run_is_asked_for(rule: Rule, match: Match) -> None:
    """A break there would else be told as one that no check knew, and the finding as refuted."""
    tells_of_recompile = "one recompile per value" in (match.message or rule.message)
    assert tells_of_recompile == ((match.at_use or rule.effect) == "recompile")


@pytest.mark.parametrize(("rule", "match"), [(rule, match) for rule, match in MATCHES if match.detector], ids=match_id)
def test_detector_exists(rule: Rule, match: Match) -> None:
    assert match.detector is not None
    module, _, function = match.detector.partition(":")
    assert callable(getattr(importlib.import_module(f"compilelint.match.detectors.{module}"), function))
