"""Whether the check tells a way that a program takes, and is silent about one that it does not.

`python -m benchmarks.ways.score [--names]` checks each program and compares with what Dynamo
did (truth.json). What is of low confidence counts as not told.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.markdown import table
from benchmarks.ways.programs import HERE, programs
from compilelint.catalog import load_rules
from compilelint.match.analysis import AnalysisSettings, analyze
from compilelint.report.confidence import Confidence
from compilelint.source.text import SourceText
from compilelint.source.tree import SourceTree

FOLDER = Path("/program")
"""Where the programs are said to lie, one at a time."""


def told(torch: str) -> Iterator[tuple[str, bool]]:
    """Each program with whether the check tells, of medium confidence at least, that this torch breaks the graph."""
    rules = load_rules()
    for name, files in programs():
        texts = [SourceText(file, FOLDER / file, text) for file, text in files.items()]
        tree = SourceTree.load(FOLDER, texts, [])
        findings = analyze(tree, rules, AnalysisSettings(target_torch=torch)).findings
        yield name, any(each.confidence >= Confidence.MEDIUM for each in findings)


def truth() -> tuple[str, Mapping[str, bool]]:
    """The torch with which the programs were run, and each program with whether its graph broke."""
    measured: dict[str, Any] = json.loads((HERE / "truth.json").read_text())
    return measured["torch"], measured["reached"]


class Score(NamedTuple):
    """How the programs of one sort are judged, by name."""

    missed: tuple[str, ...]
    false: tuple[str, ...]
    taken: int
    """How many come to the `print`, or break the graph by what they ask."""
    others: int


def scores(told: Mapping[str, bool], reached: Mapping[str, bool]) -> dict[str, Score]:
    """By sort of program, as the first part of its name says."""
    found: dict[str, Score] = {}
    for sort in dict.fromkeys(name.partition("/")[0] for name in reached):
        names = [name for name in reached if name.startswith(f"{sort}/")]
        taken = [name for name in names if reached[name]]
        missed = tuple(name for name in taken if not told[name])
        false = tuple(name for name in names if told[name] and not reached[name])
        found[sort] = Score(missed, false, len(taken), len(names) - len(taken))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", action="store_true", help="list the programs that are judged wrongly")
    names = parser.parse_args().names
    torch, reached = truth()
    found = scores(dict(told(torch)), reached)
    rows = [
        (sort, each.taken, each.taken - len(each.missed), each.others, len(each.false)) for sort, each in found.items()
    ]
    print(table(["programs", "taken", "told", "not taken", "told all the same"], rows))
    for each in found.values() if names else ():
        print("\nmissed:", *each.missed, "\ntold all the same:", *each.false)


if __name__ == "__main__":
    main()
