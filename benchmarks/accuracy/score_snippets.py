"""Score `compilelint check` on small programs for which Dynamo's own verdict is known.

`python benchmarks/accuracy/score_snippets.py [--misses] [CATEGORY/NAME …]`

Each program in snippets/ is checked with `--root FILE::ROOT`, as results.json names its root (without
`--root` where the program makes it dynamically), and compared with what torch 2.13.0 did with it
(results.json, default settings):

- recall: of the programs in which Dynamo broke or failed, those with a finding on a line of a first break;
- flagged: of the programs in which nothing happened at all, those with any finding.

Programs that only recompile or only compute something else are counted in neither.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilelint.catalog import Rule, load_rules
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.report.model import Finding
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

SNIPPETS = Path(__file__).parent / "snippets"
TORCH = "2.13.0"


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    expected: frozenset[int]
    """Lines at which Dynamo broke; empty if the program is clean."""
    found: tuple[Finding, ...]

    @property
    def right(self) -> bool:
        if not self.expected:
            return not self.found
        return any(finding.line <= line <= finding.end_line for finding in self.found for line in self.expected)


def check(path: Path, root: str | None, rules: tuple[Rule, ...]) -> tuple[Finding, ...]:
    """Findings that a user would see."""
    tree = SourceTree.load(path.parent, [SourceText(path.name, path, path.read_text())], [])
    roots = (f"{path.name}::{root}",) if root else ()
    analysis = analyze(tree, rules, AnalysisSettings(roots=roots, target_torch=TORCH))
    return tuple(finding for finding in analysis.findings if finding.confidence >= Confidence.MEDIUM)


def expected_lines(measured: dict[str, Any]) -> frozenset[int] | None:
    """Where Dynamo broke or failed; None for a program that is neither clean nor broken."""
    lines = {entry["line"] for entry in measured["breaks"] if entry["line"]}
    error = measured.get("error")
    if error and error.get("line"):
        lines.add(error["line"])
    if lines:
        return frozenset(lines)
    spoiled = measured["breaks"] or measured.get("recompiles") or measured.get("wrong_result") or error
    return None if spoiled else frozenset()


def score(snippets: Path, only: list[str]) -> list[Score]:
    """Check all programs, or those that are named."""
    rules = load_rules()
    results = json.loads((snippets / "results.json").read_text())
    scores = []
    for name, entry in sorted(results.items()):
        if only and name not in only:
            continue
        expected = expected_lines(entry["torch"][TORCH]["default"])
        if expected is not None:
            found = check(snippets / f"{name}.py", entry["root"], rules)
            scores.append(Score(name, expected, found))
    return scores


def table(scores: list[Score]) -> str:
    """Recall and false alarms per category, as Markdown."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for entry in scores:
        groups[entry.name.partition("/")[0]].append(entry)
    groups["all"] = scores
    rows = ["| category | break | found | recall | clean | flagged | |", "|---|---|---|---|---|---|---|"]
    for category, entries in groups.items():
        broken = [entry for entry in entries if entry.expected]
        clean = [entry for entry in entries if not entry.expected]
        found = sum(entry.right for entry in broken)
        flagged = sum(not entry.right for entry in clean)
        rows.append(
            f"| {category} | {len(broken)} | {found} | {_percent(found, len(broken))} "
            f"| {len(clean)} | {flagged} | {_percent(flagged, len(clean))} |"
        )
    return "\n".join(rows)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="score only these programs")
    parser.add_argument("--snippets", type=Path, default=SNIPPETS)
    parser.add_argument("--misses", action="store_true", help="list what was missed and what was flagged wrongly")
    options = parser.parse_args()
    scores = score(options.snippets, options.names)
    print(table(scores))
    if options.misses:
        for entry in scores:
            if not entry.right:
                findings = ", ".join(f"{finding.line}: {finding.code}" for finding in entry.found)
                what = f"missed line {sorted(entry.expected)}" if entry.expected else "flagged wrongly"
                print(f"{entry.name}: {what}; found {findings or 'nothing'}")


if __name__ == "__main__":
    main()
