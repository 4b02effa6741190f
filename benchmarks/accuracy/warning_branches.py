"""How often real models take a branch that only warns, of those whose condition they come to.

    python -m benchmarks.accuracy.warning_branches --sources ~/.cache/compilelint-accuracy

This is why what is in such a branch has low confidence (`inspect/deciding/complaining.py`).
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from benchmarks.accuracy.packages import locate, read_sources
from benchmarks.accuracy.truth import read
from compilelint.inspect.deciding.complaining import only_warns, says_deprecated

HERE = Path(__file__).parent


def taken(
    source: str, traced: Collection[int], asks: Callable[[Sequence[ast.stmt]], bool] = only_warns
) -> Iterator[bool]:
    """Whether each branch that only warns, or is of the sort that `asks` asks for, was taken, of the conditions on
    lines that Dynamo traced, or broke at."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and not _lines(node.test).isdisjoint(traced):
            for body in (node.body, node.orelse):
                if asks(body):
                    yield any(not _lines(statement).isdisjoint(traced) for statement in body)


def _lines(node: ast.expr | ast.stmt) -> frozenset[int]:
    return frozenset(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, nargs="+", required=True, metavar="DIR")
    options = parser.parse_args()
    warning: list[bool] = []
    deprecated: list[bool] = []
    for file in sorted((HERE / "truth").glob("*.json")):
        truth = read(file)
        for name, text in read_sources(locate(truth, options.sources)).items():
            broken = {site.line for site in truth.sites if site.file == name}
            traced = broken | truth.traced.get(name, frozenset())
            warning += taken(text, traced)
            deprecated += taken(text, traced, says_deprecated)
    print(f"{sum(warning)} of {len(warning)} branches that only warn were taken")
    print(f"{sum(deprecated)} of {len(deprecated)} that say that what they are for is deprecated")


if __name__ == "__main__":
    main()
