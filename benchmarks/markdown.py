"""Tables in Markdown, and pages whose tables are made from figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_BLOCK = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table, without a newline at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """The page with what is between each `<!-- figures: NAME -->` and `<!-- end of figures -->` made anew.

    Raises KeyError for a name that is no block's, ValueError for a page without any.
    """
    if not _BLOCK.search(page):
        raise ValueError("the page has no tables to fill")
    return _BLOCK.sub(lambda block: f"{block[1]}\n{blocks[block['name']]}\n\n{block[3]}", page)
