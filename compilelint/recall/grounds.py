"""What an answer rests on, seen without opening a file: which files there are, and when each of them changed.

A file counts as unchanged if its times of change, its size and its number are as they were, as it does for git.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

from compilelint.installed import parts, stamped

_YOUNG_NS = 2_000_000_000
"""What was changed so shortly ago may change again without a difference in time."""
_SOURCES = (".py", ".ipynb")
_MARKS = frozenset({".git", ".gitignore", "pyproject.toml", "setup.cfg", "pyvenv.cfg", "conda-meta"})
"""What says something of the directory that it is in."""
_OF_PACKAGES = (".dist-info", ".egg-info")
Fact: TypeAlias = tuple[object, int]
"""What was seen, and when it last changed (ns)."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """Where to look."""

    directories: tuple[str, ...]
    """Those whose sources matter, and what says something of them."""
    files: tuple[str, ...]
    """Others that matter, there or not; of a directory only that it is one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is there."""

    digest: str
    newest_ns: int
    """The last change of anything."""

    def settled(self, began_ns: int) -> bool:
        """Whether nothing changed since, nor so shortly before that a change after it might look the same."""
        return self.newest_ns < began_ns - _YOUNG_NS


def seen(facts: Iterable[Fact]) -> Seen:
    """Facts, in one digest."""
    newest = 0
    digest = blake2b(digest_size=16)
    for fact, changed in facts:
        digest.update(repr(fact).encode("utf-8", "surrogateescape"))
        newest = max(newest, changed)
    return Seen(digest.hexdigest(), newest)


def looked_at(grounds: Grounds) -> Iterator[Fact]:
    """What is there now."""
    for directory in grounds.directories:
        yield from _directory(directory)
    for file in grounds.files:
        fact, changed = _stamp(file)
        yield (file, fact), changed


def program() -> Iterator[Fact]:
    """What answers: this program, its rules, the Python that runs it, and what is installed beside it.

    One of the last is the torch that is judged for.
    """
    yield sys.version, 0
    own = sorted(parts())
    yield own, max(changed for _, _, changed in own)
    for folder in sys.path:
        yield from _installed(folder or os.curdir)


def _directory(directory: str) -> Iterator[Fact]:
    """What a directory holds that matters. When it changed itself counts only for whether it is young."""
    try:
        changed = os.stat(directory)
        with os.scandir(directory) as scan:
            entries = sorted((entry for entry in scan if _matters(entry)), key=lambda entry: entry.name)
    except OSError as error:
        yield (directory, error.errno), 0
        return
    yield directory, max(changed.st_mtime_ns, changed.st_ctime_ns)
    for entry in entries:
        fact, young = (None, 0) if entry.is_dir(follow_symlinks=False) else _stamp(entry.path)
        yield (entry.name, fact), young


def _matters(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_SOURCES) or entry.name in _MARKS or entry.is_dir(follow_symlinks=False)


def _stamp(path: str) -> Fact:
    """What tells a file from the one that it was: its kind, its times of change, its size and its number."""
    try:
        found = os.stat(path)
    except OSError as error:
        return error.errno, 0
    if stat.S_ISDIR(found.st_mode):
        return "directory", 0
    stamp = (found.st_mode, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
    return stamp, max(found.st_mtime_ns, found.st_ctime_ns)


def _installed(folder: str) -> Iterator[Fact]:
    """The packages that are installed in a directory, and when."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_OF_PACKAGES))
    except OSError:
        yield stamped(folder), 0  # an archive, or nothing
        return
    for name in names:
        path = os.path.join(folder, name)
        changed = max(changed for _, _, changed in map(stamped, (path, f"{path}/METADATA", f"{path}/PKG-INFO")))
        yield (name, changed), changed
