"""Which file imports which, remembered from run to run.

What the imports of a file mean depends on its text and on which files there are, on no other text.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from msgspec import Struct

from compilelint.analysis.files import Files
from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store
from compilelint.source.imports import Links


class _Linked(Struct, frozen=True):
    digest: str
    """Of the file's text."""
    targets: tuple[int, ...]
    """The files that it imports, by the positions of their names among all, sorted."""
    named: tuple[int, ...]
    """Those of `Links.named`; -1 for none."""


_LINKS = Kept("imports", _Linked)


def known_links(store: Store, files: Files, tool: str) -> dict[str, Links]:
    """What earlier runs know of what each file imports, as far as it still holds."""
    names = sorted(files.paths)
    known = _LINKS.known(store, str(files.root), _among(files, tool))
    try:
        return {
            file: Links(
                frozenset(map(names.__getitem__, linked.targets)),
                tuple(names[position] if position >= 0 else None for position in linked.named),
            )
            for file, linked in known.items()
            if file in files.states and files.states[file].digest == linked.digest
        }
    except IndexError:
        return {}


def keep_links(store: Store, files: Files, tool: str, links: Mapping[str, Links]) -> None:
    """Remember what files import, in the place of what was known."""
    position = {name: number for number, name in enumerate(sorted(files.paths))}
    linked = {
        file: _Linked(
            files.states[file].digest,
            tuple(sorted(map(position.__getitem__, each.imported))),
            tuple(position[name] if name is not None else -1 for name in each.named),
        )
        for file, each in links.items()
    }
    _LINKS.keep(store, str(files.root), _among(files, tool), linked)


def _among(files: Files, tool: str) -> str:
    """What decides, beside a text, what its imports mean: the program, and which files there are."""
    there = sorted((name, path.as_posix()) for name, path in files.paths.items())
    return blake2b(repr((tool, there)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
