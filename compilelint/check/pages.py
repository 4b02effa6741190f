"""Rule pages, remembered as the rules that they are.

To read two hundred of them takes longer than to find the files of a large project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePath

import msgspec

from compilelint.analysis.store import Store
from compilelint.catalog.load import Parse, rules_directory
from compilelint.catalog.model import Rule
from compilelint.catalog.pages import parse_page
from compilelint.check.memory import cache_file

_KIND = "pages"


@dataclass(frozen=True, slots=True)
class _Memory:
    """Rules without evidence, by the digests of their pages, as one version of the program reads them."""

    tool: str
    rules: dict[str, Rule]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Memory)


@contextmanager
def remembered_pages(cache: Path | None, tool: str) -> Iterator[Parse]:
    """What `catalog.parse_page` does, from memory where a page has been read before; nothing without a cache.

    `tool` is a digest of this program: another one may read pages otherwise.
    """
    if cache is None:
        yield parse_page
        return
    with Store(cache_file(cache, rules_directory())) as store:
        known = _known(store, tool)
        asked: dict[str, Rule] = {}

        def parse(text: str, path: str) -> Rule:
            key = blake2b(f"{PurePath(path).name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            rule = asked[key] = known.get(key) or parse_page(text, path)
            return rule

        yield parse
        if asked.keys() - known.keys():
            store.put(_KIND, {_KIND: _encode(_Memory(tool, {**known, **asked}))})


def _known(store: Store, tool: str) -> dict[str, Rule]:
    value = store.get(_KIND, [_KIND]).get(_KIND)
    if value is None:
        return {}
    try:
        memory = _decoder.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return memory.rules if memory.tool == tool else {}
