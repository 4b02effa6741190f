"""Every page is well-formed, and proves each callee that it names."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from compilelint.catalog import Example, Match, Rule, load_page, load_rules, page_paths
from compilelint.catalog.scaffold import unwritten
from tests.rules.pages import RULES, readable_rules

MATCHES = [(rule, match) for _, rule in readable_rules() for match in rule.matches]

DECORATORS = ("torch.compiler.disable", "torch.autograd.Function.jvp", "torch.autograd.Function.vjp")
"""Callees of an event that stands for the call of what was decorated, or defines such a method, elsewhere."""


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
    unproven = [callee for callee in match.callee if not _is_used(callee, match, example)]
    assert not unproven, f"{rule.code}: not on a marked line of example {example.name!r}"


def _is_used(callee: str, match: Match, example: Example) -> bool:
    """Whether a plain call stands on a marked line; what need not be spelled there is in the example.

    Nobody writes `forward` or `__int__` to call it, a `*` stands for any name, and a class that is
    entered, iterated or found by a detector was made on another line.
    """
    *owner, last = callee.rstrip("*").rstrip(".").split(".")
    if _word(last).search(_marked_lines(example)) is not None:
        return True
    if last == "forward" or last.startswith("__"):
        return any(_word(part).search(example.source) for part in (last, *owner[1:]))
    spelled = match.event == "call" and match.detector is None and not callee.endswith("*") and callee not in DECORATORS
    return not spelled and _word(last).search(example.source) is not None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b")


def _marked_lines(example: Example) -> str:
    lines = example.source.splitlines()
    return "\n".join(lines[line - 1] for line, _, _ in example.marks)


@pytest.mark.parametrize(("rule", "match"), [(rule, match) for rule, match in MATCHES if match.detector], ids=match_id)
def test_detector_exists(rule: Rule, match: Match) -> None:
    assert match.detector is not None
    module, _, function = match.detector.partition(":")
    assert callable(getattr(importlib.import_module(f"compilelint.match.detectors.{module}"), function))
