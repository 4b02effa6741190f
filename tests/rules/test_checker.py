"""The checker flags exactly the marked lines of every example, and nothing on the clean ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilelint.catalog import Example, Rule, measured_versions, resolve_target
from compilelint.catalog.pages import RUN_GROUP
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree
from tests.rules.pages import example_id, examples, readable_rules
from tools.example_source import defines_root

RULES = tuple(rule for _, rule in readable_rules())
OF_RUNS = {rule.code for rule in RULES if rule.group == RUN_GROUP}
"""What no source shows: tests/rules/test_run_rules.py runs these."""
TARGET = resolve_target(None, measured_versions(RULES))


@pytest.mark.parametrize(("rule", "example"), examples(), ids=example_id)
def test_checker_flags_exactly_the_marked_lines(rule: Rule, example: Example, tmp_path: Path) -> None:
    assert flagged(example, tmp_path) == {
        (line, code) for line, code, mode in example.marks if mode in (None, "default") and code not in OF_RUNS
    }


def flagged(example: Example, folder: Path) -> set[tuple[int, str]]:
    text = SourceText("example.py", folder / "example.py", example.source)
    tree = SourceTree.load(folder, [text], [])
    roots = ("example.py::f",) if defines_root(example.source) else ()
    analysis = analyze(tree, RULES, AnalysisSettings(roots=roots, target_torch=TARGET))
    assert not analysis.problems
    return {(finding.line, finding.code) for finding in analysis.findings if finding.confidence >= Confidence.MEDIUM}
