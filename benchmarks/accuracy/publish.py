"""docs/accuracy.md: the tables between its markers are those of figures.json."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchmarks.accuracy import table
from benchmarks.accuracy.figures import PackageFigures, overall

_BLOCK = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def filled(page: str, packages: Mapping[str, PackageFigures]) -> str:
    """The page with every table between `<!-- figures: NAME -->` and `<!-- end of figures -->` made anew.

    Raises KeyError for a name that is no table's, ValueError for a page without any.
    """
    total = overall(packages)
    tables = {
        "sites": table.main_table(packages),
        "models": table.model_table(packages),
        "levels": table.level_table([("all", total)]),
        "baselines": table.baseline_table([("all", total)]),
        "apart": table.apart_table(total),
        "rules": table.rule_table(total.check),
    }
    if not _BLOCK.search(page):
        raise ValueError("the page has no tables to fill")
    return _BLOCK.sub(lambda block: f"{block[1]}\n{tables[block['name']]}\n\n{block[3]}", page)
