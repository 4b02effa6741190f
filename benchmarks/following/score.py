"""`compilelint check --follow` held against what Dynamo does, on programs that use models of libraries.

    PYTHONPATH=DIR python benchmarks/following/score.py [PROGRAM …]

DIR (or several) holds transformers, diffusers, torch_geometric and what they import. Each program is checked with
default settings, and run under `compilelint trace` (its own backend is "eager"). Counted are findings in the
packages, those that name a place at which the run broke; places in the packages at which the run broke, and those
that a finding names. Writes a Markdown table.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[2]
PACKAGES = ("transformers", "diffusers", "torch_geometric")


@dataclass(frozen=True)
class Score:
    program: str
    findings: int
    true: int
    breaks: int
    found: int


def score(program: Path) -> Score:
    """What the check says of a program, and what of it the run shows. Raises RuntimeError if it cannot be run."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "compilelint.toml"
        config.write_text(f"follow = {json.dumps(PACKAGES)}\n")
        checked = json.loads(_compilelint("check", "--config", str(config), "-o", "json", str(program)))
        report = Path(folder) / "run.json"
        _compilelint("trace", "--no-check", "--output", f"json={report}", str(program))
        run = json.loads(report.read_text())
    if not run["run"]["compiled_frames"]:
        raise RuntimeError(f"{program.name}: {run['run']['ended']}")
    findings = [each for each in checked["findings"] if each["library"]]
    breaks = [each for each in run["observations"] if each["type"] == "graph-break" and _package(each["path"])]
    return Score(
        program.stem,
        len(findings),
        sum(any(_names(finding, each) for each in breaks) for finding in findings),
        len(breaks),
        sum(any(_names(finding, each) for finding in findings) for each in breaks),
    )


def _compilelint(*arguments: str) -> str:
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "compilelint", *arguments]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2] or done.stdout[-400:])
    return done.stdout


def _package(path: str) -> bool:
    return any(f"/{package}/" in path for package in PACKAGES)


def _names(finding: Mapping[str, Any], observation: Mapping[str, Any]) -> bool:
    return any(
        observation["path"].endswith(f"/{place['path']}") and place["line"] <= observation["line"] <= place["end_line"]
        for place in finding["library"]
    )


def table(scores: Sequence[Score]) -> str:
    """The scores as Markdown, with their sums."""
    rows = [(f"`{each.program}.py`", each.findings, each.true, each.breaks, each.found) for each in scores]
    sums = [sum(numbers) for numbers in zip(*((row[1:]) for row in rows), strict=True)]
    head = ["| program | findings | true | places that break | found |", "|---|---|---|---|---|"]
    return "\n".join([*head, *("| " + " | ".join(map(str, row)) + " |" for row in [*rows, ("all", *sums)])])


def main(names: Sequence[str]) -> None:
    programs = [PROGRAMS / f"{name}.py" for name in names] or sorted(PROGRAMS.glob("*.py"))
    print(table([score(program) for program in programs]))


if __name__ == "__main__":
    main(sys.argv[1:])
