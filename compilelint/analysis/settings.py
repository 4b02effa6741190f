"""What files set in `torch._dynamo.config`, remembered from run to run.

It is asked of each file that may set anything before a unit is walked, and to find it the file is parsed, and what its
names mean looked up in others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from hashlib import blake2b

from msgspec import Struct

from compilelint.analysis.files import Files, digest_of
from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store
from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions.starts.settings import DynamoSettings, find_settings
from compilelint.source.tree import SourceTree


class _Made(Struct, frozen=True):
    """What a file sets."""

    settings: DynamoSettings | None
    texts: dict[str, str]
    """What this rests on, by the digests of texts, empty for what could not be read; none if on anything else."""


_MADE = Kept("settings", _Made)


def settings_made(
    tree: SourceTree, names: Iterable[str], files: Files, store: Store, tool: str, digest: Callable[[str], str]
) -> dict[str, DynamoSettings]:
    """What `find_settings` finds in these files; `digest` is that of a file's text as it is now, empty for none."""
    asked = [name for name in names if tree.graph.may_configure(name)]
    if not asked:
        return {}
    among = _among(files, tool)
    known = _MADE.known(store, str(files.root), among)
    now = {name: known[name] for name in asked if name in known and _holds(known[name], digest)}
    knowledge = Knowledge(tree)
    fresh = {name: _found(knowledge, name) for name in asked if name not in now}
    lasting = {name: made for name, made in fresh.items() if _holds(made, digest)}
    if lasting:
        _MADE.keep(store, str(files.root), among, {**known, **lasting})
    every = {**now, **fresh}
    return {name: made for name in asked if (made := every[name].settings) is not None}


def _found(knowledge: Knowledge, name: str) -> _Made:
    knowledge.begin()
    made = find_settings(Inspector(knowledge, lambda type_, callee: False), [name])
    asked = knowledge.asked()
    texts = {each: knowledge.tree.text(each) for each in sorted(asked.files)}
    digests = {each: digest_of(text.identity) if text is not None else "" for each, text in texts.items()}
    return _Made(made.get(name), {} if asked.importers or asked.few_importers else digests)


def _holds(made: _Made, digest: Callable[[str], str]) -> bool:
    return bool(made.texts) and all(digest(name) == was for name, was in made.texts.items())


def _among(files: Files, tool: str) -> str:
    """What decides, beside texts: the program, and which files there are."""
    parts = (
        tool,
        sys.version_info[:2],
        sorted((name, path.as_posix()) for name, path in files.packages.items()),
        sorted((name, path.as_posix()) for name, path in files.paths.items()),
        sorted(files.library().files()),
    )
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
