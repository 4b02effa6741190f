"""Rule pages, remembered as the rules that they are.

To read two hundred of them takes longer than to find the files of a large project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path, PurePath

from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store
from compilelint.catalog.load import Parse, rules_directory
from compilelint.catalog.model import Rule
from compilelint.catalog.pages import parse_page
from compilelint.check.memory import cache_file

_PAGES = Kept("pages", Rule)
"""Rules without evidence, by the digests of their pages."""
_ALL = "all"


@contextmanager
def remembered_pages(cache: Path | None, tool: str) -> Iterator[Parse]:
    """What `catalog.parse_page` does, from memory where a page has been read before; nothing without a cache.

    `tool` is a digest of this program: another one may read pages otherwise.
    """
    if cache is None:
        yield parse_page
        return
    with Store(cache_file(cache, rules_directory())) as store:
        known = _PAGES.known(store, _ALL, tool)
        asked: dict[str, Rule] = {}

        def parse(text: str, path: str) -> Rule:
            key = blake2b(f"{PurePath(path).name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            rule = asked[key] = known.get(key) or parse_page(text, path)
            return rule

        yield parse
        if asked.keys() - known.keys():
            _PAGES.keep(store, _ALL, tool, {**known, **asked})
