"""Compare `compilelint check` with what Dynamo did with open models.

    pip install --no-deps --target corpus torch_geometric==2.8.1 transformers==5.23.0 timm==1.0.31
    python benchmarks/accuracy/score_models.py FACTS corpus/torch_geometric corpus/timm corpus/transformers

FACTS is a folder with PACKAGE.json: for each model the `sites` of its breaks and the `traced_lines` of each
file, as Dynamo reported them while the model ran (the project's shared facts, real-breaks/). Every
`nn.Module.forward` is a root. A finding is matched with a site by the innermost statement that holds both; it is
*refuted* where Dynamo traced its line and no break was at that statement.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

Place = tuple[str, int]


def findings(package: Path) -> list[dict[str, Any]]:
    """What the check shows by default of effects that split or stop a graph."""
    command = [sys.executable, "-m", "compilelint", "check", "--format", "json", "--target-torch", "2.13", str(package)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return [finding for finding in found if finding["effect"] in ("graph-break", "compile-error")]


@cache
def spans(path: Path) -> list[tuple[int, int]]:
    """First and last line of each statement; of compound statements only the header's."""
    result = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
                result.append((node.lineno, head.end_lineno or node.lineno))
            case ast.With(body=body):
                result.append((node.lineno, body[0].lineno - 1))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Try():
                pass
            case ast.stmt():
                result.append((node.lineno, node.end_lineno or node.lineno))
    return result


def statement(path: Path, line: int) -> tuple[int, int]:
    """The innermost statement that holds a line."""
    around = [span for span in spans(path) if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0], default=(line, line))


def score(package: Path, facts: Path, *, show: bool) -> str:
    """One row of the table; with `show` also prints what was refuted and what was missed."""
    measured = json.loads((facts / f"{package.name}.json").read_text())
    sites: set[Place] = set()
    traced: dict[str, set[int]] = defaultdict(set)
    for model in measured.values():
        sites |= {(site["file"], site["line"]) for site in model["sites"]}
        for file, ranges in model["traced_lines"].items():
            for first, last in ranges:
                traced[file].update(range(first, last + 1))
    hit: set[Place] = set()
    confirmed, refuted = 0, []
    for finding in findings(package):
        file = package.name + "/" + finding["path"].partition(f"{package.name}/")[2]
        first, last = statement(package.parent / file, finding["line"])
        at = {site for site in sites if site[0] == file and first <= site[1] <= last}
        hit |= at
        confirmed += bool(at)
        if not at and finding["line"] in traced[file]:
            refuted.append(f"refuted {file}:{finding['line']} {finding['code']} {finding['message']}")
    if show:
        print("\n".join([*refuted, *(f"missed {file}:{line}" for file, line in sorted(sites - hit))]))
    return f"| {package.name} ({len(measured)} models) | {len(sites)} | {len(hit)} | {confirmed} | {len(refuted)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("facts", type=Path)
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="list what was refuted and what was missed")
    options = parser.parse_args()
    rows = [score(package, options.facts, show=options.show) for package in options.packages]
    print(
        "| package | sites of breaks | found | findings on traced lines that broke | refuted |\n|---|---|---|---|---|"
    )
    print("\n".join(rows))


if __name__ == "__main__":
    main()
