"""Every page is well-formed, and proves each callee that it names."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from compilelint.catalog import Example, Match, Rule, load_page, load_rules, page_paths
from tests.rules.pages import RULES, readable_rules

MATCHES = [(rule, match) for _, rule in readable_rules() for match in rule.matches]


def match_id(value: object) -> str:
    return value.code if isinstance(value, Rule) else getattr(value, "event", "")


@pytest.mark.parametrize("path", page_paths(RULES), ids=lambda path: path.stem)
def test_page_is_well_formed(path: Path) -> None:
    rule = load_page(path, {})
    for example in rule.examples:
        compile(example.source, f"{path.name}:{example.name}", "exec")


def test_codes_and_names_are_unique() -> None:
    rules = load_rules()
    assert len({rule.name for rule in rules}) == len(rules) == len(page_paths(RULES))


@pytest.mark.parametrize(("rule", "match"), MATCHES, ids=match_id)
def test_each_callee_is_proven_on_a_marked_line(rule: Rule, match: Match) -> None:
    example = next(example for example in rule.examples if example.name == match.example)
    unproven = [callee for callee in match.callee if not _is_used(callee, example)]
    assert not unproven, f"{rule.code}: not on a marked line of example {example.name!r}"


def _is_used(callee: str, example: Example) -> bool:
    """Calling a module instance does not spell `forward`: there its class must be in the example."""
    *owner, last = callee.rstrip("*").rstrip(".").split(".")
    if _word(last).search(_marked_lines(example)) is not None:
        return True
    implicit = last == "forward" or last.startswith("__")
    return implicit and bool(owner) and _word(owner[-1]).search(example.source) is not None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b")


def _marked_lines(example: Example) -> str:
    lines = example.source.splitlines()
    return "\n".join(lines[line - 1] for line, _, _ in example.marks)


@pytest.mark.parametrize(
    ("rule", "match"), [(rule, match) for rule, match in MATCHES if match.detector], ids=match_id
)
def test_detector_exists(rule: Rule, match: Match) -> None:
    assert match.detector is not None
    module, _, function = match.detector.partition(":")
    assert callable(getattr(importlib.import_module(f"compilelint.match.detectors.{module}"), function))
