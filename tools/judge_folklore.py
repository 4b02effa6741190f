"""Asks TorchDynamo about every belief in docs/folklore.md.

    python tools/judge_folklore.py          # all of them, with the torch that is installed
    python tools/judge_folklore.py NAME …   # some

A belief is a fenced block `python VERDICT NAME`: a program as in rule pages (`f`, optionally
`inputs()`), and what Dynamo does with it. Offending lines of a break carry `# <-`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compilelint.catalog.example_source import statement_starts
from compilelint.judging.recorder import Run
from compilelint.judging.run_example import run_example

PAGE = Path(__file__).resolve().parents[1] / "docs" / "folklore.md"
VERDICTS = {
    "traces": "one graph: no break, no recompile, no error, neither by default nor under fullgraph",
    "traces-by-default": "one graph by default, an error under fullgraph",
    "breaks": "breaks at the marked lines by default, fails under fullgraph",
    "breaks-by-default": "breaks at the marked lines by default, one graph under fullgraph",
    "recompiles-once": "recompiles once over all calls of `inputs()`",
    "recompiles": "recompiles more than once over the calls of `inputs()`",
    "fails": "raises an error by default that plain Python does not raise",
    "not-compiled": "nothing is compiled, without an error",
    "wrong-result": "gives another result than plain Python",
}

_BLOCK = re.compile(r"^```python (?P<verdict>\S+) (?P<name>\S+)\n(?P<source>.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"# <-\s*$")


@dataclass(frozen=True)
class Belief:
    """A program, and what Dynamo is said to do with it."""

    name: str
    verdict: str
    source: str

    @property
    def marks(self) -> set[int]:
        return {number for number, line in enumerate(self.source.splitlines(), 1) if _MARK.search(line)}


def read_beliefs(text: str) -> list[Belief]:
    """The beliefs on a page. Raises ValueError for an unknown verdict or a repeated name."""
    found: dict[str, Belief] = {}
    for block in _BLOCK.finditer(text):
        belief = Belief(block["name"], block["verdict"], block["source"])
        if belief.verdict not in VERDICTS:
            raise ValueError(f"{belief.name}: unknown verdict {belief.verdict!r}")
        if belief.name in found:
            raise ValueError(f"{belief.name}: a second belief of this name")
        found[belief.name] = belief
    return list(found.values())


def contradiction(belief: Belief) -> str | None:
    """What Dynamo did instead of what the belief's verdict says; None if it agrees."""
    runs = run_example(belief.source, ("default", "fullgraph"))
    default = runs["default"]
    if default.broken is not None:
        return f"broken: {default.broken}"
    seen = _verdict(default, runs["fullgraph"])
    if seen != belief.verdict:
        reasons = [f"{found.line}: {found.reason}" for found in default.breaks]
        return f"{seen}, not {belief.verdict} {reasons} {default.failure or ''} {default.recompiles[:1]}"
    if belief.verdict in ("breaks", "breaks-by-default"):
        starts = statement_starts(belief.source)
        broken = {starts.get(found.line or 0, found.line or 0) for found in default.breaks}
        if broken != {starts.get(line, line) for line in belief.marks}:
            return f"breaks at lines {sorted(broken)}, marked are {sorted(belief.marks)}"
    return None


def _verdict(default: Run, fullgraph: Run) -> str:
    if default.failure is not None:
        return "fails"
    if default.recompiles:
        return "recompiles" if len(default.recompiles) > 1 else "recompiles-once"
    if default.graphs == 0 and _refused(default):
        return "not-compiled"
    if default.breaks:
        return "breaks" if fullgraph.failure is not None else "breaks-by-default"
    if default.wrong_result:
        return "wrong-result"
    return "traces" if fullgraph.failure is None else "traces-by-default"


def _refused(run: Run) -> bool:
    """Dynamo gave no reason inside a function: it did not begin to trace it."""
    first_lines = {line for _, line in run.dropped}
    return all(found.line in first_lines for found in run.breaks)


def main(names: Sequence[str]) -> int:
    status = 0
    for belief in read_beliefs(PAGE.read_text(encoding="utf-8")):
        if names and belief.name not in names:
            continue
        found = contradiction(belief)
        print(f"{'ok  ' if found is None else 'FAIL'} {belief.verdict} {belief.name} {found or ''}".rstrip())
        status = status if found is None else 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
