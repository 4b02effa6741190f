"""docs/accuracy.md: the tables between its markers are those of figures.json."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks import markdown
from benchmarks.accuracy import table
from benchmarks.accuracy.figures import PackageFigures, overall


def filled(page: str, packages: Mapping[str, PackageFigures]) -> str:
    """The page with every table made anew. Raises KeyError and ValueError as `markdown.filled` does."""
    total = overall(packages)
    return markdown.filled(
        page,
        {
            "sites": table.main_table(packages),
            "models": table.model_table(packages),
            "levels": table.level_table([("all", total)]),
            "baselines": table.baseline_table([("all", total)]),
            "apart": table.apart_table(total),
            "rules": table.rule_table(total.check),
        },
    )
