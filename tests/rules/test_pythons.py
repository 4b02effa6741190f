"""rules/evidence-3.12.json and the like: what Dynamo does otherwise on that Python, of the pages as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compilelint.catalog import Example, Rule, load_differing, on_python
from compilelint.catalog.evidence import RawEvidence, format_evidence, read_raw, source_hash
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree
from tests.rules.pages import RULES, example_id, examples, readable_rules

FILES = sorted(RULES.glob("evidence-*.json"))
BASE = tuple(rule for _, rule in readable_rules())
CI = "2.13.0"


def raw(file: Path) -> RawEvidence:
    return read_raw(file.read_text(encoding="utf-8"))


def differing() -> Iterator[tuple[str, Rule, Example]]:
    """Each hazard example of which the torch of CI shows something else on another Python."""
    for file in FILES:
        found = raw(file)
        for rule, example in examples():
            if example.hazard and CI in found.get(rule.code, {}).get(example.name, {}).get("measured", {}):
                yield file.stem.removeprefix("evidence-"), rule, example


def test_there_is_something_that_differs() -> None:
    assert list(differing())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_example_was_measured_as_it_is_now(file: Path) -> None:
    present = {(rule.code, example.name): source_hash(example) for rule, example in examples()}
    measured = {(code, name): each["source"] for code, found in raw(file).items() for name, each in found.items()}
    assert measured.items() <= present.items(), "run tools/measure_evidence.py --python"
    assert file.read_text(encoding="utf-8") == format_evidence(raw(file))


@pytest.mark.parametrize(("python", "rule", "example"), list(differing()), ids=example_id)
def test_the_checker_flags_for_a_python_what_dynamo_does_on_it(
    python: str, rule: Rule, example: Example, tmp_path: Path
) -> None:
    rules = on_python(BASE, load_differing(python))
    tree = SourceTree.load(tmp_path, [SourceText("example.py", tmp_path / "example.py", example.source)], [])
    findings = analyze(tree, rules, AnalysisSettings(("example.py::f",), target_torch=CI)).findings
    flagged = {each.line for each in findings if each.code == rule.code and each.confidence >= Confidence.MEDIUM}
    (there,) = (each for each in rules if each.code == rule.code)
    shown = there.evidence[example.name][CI]["default"].lines
    marked = {line for line, code, mode in example.marks if code == rule.code and mode in (None, "default")}
    assert flagged == marked & {*shown}
