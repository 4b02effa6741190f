"""Score `compilelint check` on small programs for which Dynamo's own verdict is known.

`python benchmarks/accuracy/score_snippets.py [--torch 2.9.1] [--misses] [CATEGORY/NAME …]`

Each program in snippets/ is checked with `--root FILE::ROOT`, as results.json names its root (without
`--root` where the program makes it dynamically), for the torch that is asked for (2.13.0), and compared
with what that torch did with it (results.json, default settings):

- recall: of the programs in which something went wrong, those that are found: with a finding on a line of a
  break or an error; of those that only recompile, compute something else or are not compiled, with any finding
  of that effect;
- flagged: of the programs in which nothing happened at all, those with any finding.
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


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    lines: frozenset[int]
    """At which Dynamo broke or failed."""
    effects: frozenset[str]
    """What else went wrong, where no line was told."""
    found: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        return not self.lines and not self.effects

    @property
    def right(self) -> bool:
        if self.clean:
            return not self.found
        if self.lines:
            return any(finding.line <= line <= finding.end_line for finding in self.found for line in self.lines)
        return any(finding.effect in self.effects for finding in self.found)


def check(path: Path, root: str | None, rules: tuple[Rule, ...], torch: str) -> tuple[Finding, ...]:
    """Findings that a user would see."""
    tree = SourceTree.load(path.parent, [SourceText(path.name, path, path.read_text())], [])
    roots = (f"{path.name}::{root}",) if root else ()
    analysis = analyze(tree, rules, AnalysisSettings(roots=roots, target_torch=torch))
    return tuple(finding for finding in analysis.findings if finding.confidence >= Confidence.MEDIUM)


def wrong_lines(measured: dict[str, Any]) -> frozenset[int]:
    """Where Dynamo broke or failed."""
    lines = {entry["line"] for entry in measured["breaks"] if entry["line"]}
    error = measured.get("error")
    return frozenset(lines | ({error["line"]} if error and error.get("line") else set()))


def wrong_effects(measured: dict[str, Any]) -> frozenset[str]:
    """What went wrong at no line: the effects that a finding of it may have."""
    effects: set[str] = set()
    if measured["breaks"] or measured.get("error"):
        effects |= {"graph-break", "compile-error"}
    if measured.get("recompiles"):
        effects.add("recompile")
    if measured.get("wrong_result"):
        effects.add("wrong-result")
    if measured["graphs"] == 0:
        effects |= {"not-compiled", "graph-break"}
    return frozenset(effects)


def score(snippets: Path, only: list[str], torch: str) -> list[Score]:
    """Check all programs that were measured on this torch, or those that are named."""
    rules = load_rules()
    results = json.loads((snippets / "results.json").read_text())
    scores = []
    for name, entry in sorted(results.items()):
        measured = entry["torch"].get(torch, {}).get("default")
        if measured is None or measured["graphs"] is None or (only and name not in only):
            continue
        found = check(snippets / f"{name}.py", entry["root"], rules, torch)
        lines = wrong_lines(measured)
        scores.append(Score(name, lines, frozenset() if lines else wrong_effects(measured), found))
    return scores


def table(scores: list[Score]) -> str:
    """Recall and false alarms per category, as Markdown."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for entry in scores:
        groups[entry.name.partition("/")[0]].append(entry)
    groups["all"] = scores
    rows = ["| category | wrong | found | recall | clean | flagged | |", "|---|---|---|---|---|---|---|"]
    for category, entries in groups.items():
        broken = [entry for entry in entries if not entry.clean]
        clean = [entry for entry in entries if entry.clean]
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
    parser.add_argument("--torch", default="2.13.0", metavar="VERSION", help="one that results.json has")
    parser.add_argument("--misses", action="store_true", help="list what was missed and what was flagged wrongly")
    options = parser.parse_args()
    scores = score(options.snippets, options.names, options.torch)
    print(table(scores))
    if options.misses:
        for entry in scores:
            if not entry.right:
                findings = ", ".join(f"{finding.line}: {finding.code}" for finding in entry.found)
                missed = f"missed {sorted(entry.lines or entry.effects)}"
                what = "flagged wrongly" if entry.clean else missed
                print(f"{entry.name}: {what}; found {findings or 'nothing'}")


if __name__ == "__main__":
    main()
