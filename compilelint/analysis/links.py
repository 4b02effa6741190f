"""Which file imports which, remembered from run to run.

What the imports of a file mean depends on its text and on which files there are, on no other text.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from compilelint.analysis.files import Files
from compilelint.analysis.store import Store

_KIND = "imports"


@dataclass(frozen=True, slots=True)
class _Linked:
    digest: str
    """Of the file's text."""
    targets: tuple[int, ...]
    """The files that it imports, by the positions of their names among all, sorted."""


@dataclass(frozen=True, slots=True)
class _Memory:
    among: str
    """What decides, beside a text, what its imports mean: the program, and which files there are."""
    files: dict[str, _Linked]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(_Memory)


def known_links(store: Store, files: Files, tool: str) -> dict[str, frozenset[str]]:
    """What earlier runs know of the files that each file imports, as far as it still holds."""
    key = str(files.root)
    value = store.get(_KIND, [key]).get(key)
    if value is None:
        return {}
    try:
        memory = _decoder.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    names = sorted(files.paths)
    if memory.among != _among(files, tool):
        return {}
    try:
        return {
            file: frozenset(map(names.__getitem__, linked.targets))
            for file, linked in memory.files.items()
            if file in files.states and files.states[file].digest == linked.digest
        }
    except IndexError:
        return {}


def keep_links(store: Store, files: Files, tool: str, links: Mapping[str, frozenset[str]]) -> None:
    """Remember what files import, in the place of what was known."""
    position = {name: number for number, name in enumerate(sorted(files.paths))}
    linked = {
        file: _Linked(files.states[file].digest, tuple(sorted(map(position.__getitem__, targets))))
        for file, targets in links.items()
    }
    with suppress(UnicodeEncodeError):  # the name of a file may be no Unicode
        store.put(_KIND, {str(files.root): _encode(_Memory(_among(files, tool), linked))})


def _among(files: Files, tool: str) -> str:
    there = sorted((name, path.as_posix()) for name, path in files.paths.items())
    return blake2b(repr((tool, there)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
