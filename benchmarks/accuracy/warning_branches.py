"""How often real models take a branch that only warns, of those whose condition they come to.

    python -m benchmarks.accuracy.warning_branches --sources ~/.cache/compilelint-accuracy

This is why what is in such a branch has low confidence (`inspect/deciding/conditions.py`).
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from benchmarks.accuracy.packages import locate, read_sources
from benchmarks.accuracy.truth import read
from compilelint.inspect.deciding.conditions import only_warns

HERE = Path(__file__).parent


def taken(source: str, traced: Collection[int]) -> Iterator[bool]:
    """Whether each branch that only warns was taken, of the conditions on lines that Dynamo traced, or broke at."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and not _lines(node.test).isdisjoint(traced):
            for body in (node.body, node.orelse):
                if only_warns(body):
                    yield any(not _lines(statement).isdisjoint(traced) for statement in body)


def _lines(node: ast.expr | ast.stmt) -> frozenset[int]:
    return frozenset(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, nargs="+", required=True, metavar="DIR")
    options = parser.parse_args()
    found: list[bool] = []
    for file in sorted((HERE / "truth").glob("*.json")):
        truth = read(file)
        for name, text in read_sources(locate(truth, options.sources)).items():
            broken = {site.line for site in truth.sites if site.file == name}
            found += taken(text, broken | truth.traced.get(name, frozenset()))
    print(f"{sum(found)} of {len(found)} branches that only warn were taken")


if __name__ == "__main__":
    main()
