"""On which lines of its hazard examples the checker finds what a rule is about.

A match may name a hundred callees; its example uses each of them on a line of its own. Which line proves which
callee is not typed in: the checker itself says so, with every rule taken to hold.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

from compilelint.catalog import Example, Outcome, Rule, load_rules
from compilelint.catalog.example_source import defines_root
from compilelint.catalog.model import MODES
from compilelint.match.analysis import AnalysisSettings, find_hits
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

_ANY = "0"
"""A version of torch on which all is as the marks say."""


def subjects(rule: Rule) -> dict[str, dict[str, list[int]]]:
    """Hazard example → subject of an event → the marked lines on which the rule finds it, sorted.

    Raises DetectorError if the rule names a detector that does not exist.
    """
    holding = _holding(rule)
    return {
        example.name: _subjects(holding, example)
        for example in rule.examples
        if example.hazard and any(match.example == example.name for match in rule.matches)
    }


def _holding(rule: Rule) -> Rule:
    everywhere = {
        example.name: {
            _ANY: {
                mode: Outcome(True, tuple(line for line, _, marked in example.marks if marked in (None, mode)))
                for mode in MODES
            }
        }
        for example in rule.examples
        if example.hazard
    }
    return replace(rule, evidence=everywhere, proofs={})


@functools.cache
def _built_in() -> tuple[Rule, ...]:
    return load_rules()


def _subjects(rule: Rule, example: Example) -> dict[str, list[int]]:
    path = Path("example.py")
    tree = SourceTree.load(path.parent, [SourceText(path.name, path, example.source)], [])
    roots = (f"{path.name}::f",) if defines_root(example.source) else ()
    others = {code for _, code, _ in example.marks} - {rule.code}
    # What else the example marks may be what the rule is about: a method that breaks the graph.
    beside = [_holding(each) for each in _built_in() if each.code in others] if others else []
    hits = find_hits(tree, [rule, *beside], AnalysisSettings(roots=roots, target_torch=_ANY))
    marked = {line for line, code, _ in example.marks if code == rule.code}
    found: dict[str, set[int]] = {}
    for hit in hits:
        line = hit.event.span.line
        if hit.rule.code == rule.code and line in marked and hit.confidence >= Confidence.MEDIUM:
            found.setdefault(hit.event.subject, set()).add(line)
    return {subject: sorted(lines) for subject, lines in sorted(found.items())}
