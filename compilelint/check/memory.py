"""Where a check remembers what it found out, and what makes it forget."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from compilelint import __version__
from compilelint.installed import EVIDENCE_FILE, parts, stamped
from compilelint.recall import question

_SUFFIX = ".sqlite"
_MOST_BYTES = 2_000_000_000
"""The caches of all projects together, when that of another one is begun."""
_CACHE = re.compile(r".+-[0-9a-f]{16}\.(sqlite(-wal|-shm)?|answer\.json(\.\d+)?)")


def cache_directory() -> Path:
    """Where the caches of all projects are, if the command line does not say."""
    return Path(question.cache_directory())


def cache_file(directory: Path, root: Path) -> Path:
    """The file for the project in a directory."""
    name = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return directory / f"{root.name or 'root'}-{name}{_SUFFIX}"


def make_room(directory: Path) -> None:
    """Remove the caches that were not written for longest, if those of all projects have become too large."""
    with suppress(OSError):
        files = sorted(directory.glob(f"*{_SUFFIX}*"), key=lambda file: file.stat().st_mtime, reverse=True)
        room = _MOST_BYTES
        for file in files:
            room -= file.stat().st_size
            if room < 0 and _CACHE.fullmatch(file.name):
                file.unlink()


def clean(directory: Path) -> int:
    """Remove the caches in a directory, and it too, if nothing else is in it; how many there were. Raises OSError."""
    if not directory.is_dir():
        return 0
    files = [file for file in directory.iterdir() if _CACHE.fullmatch(file.name)]
    for file in files:
        file.unlink(missing_ok=True)
    if not any(directory.iterdir()):
        directory.rmdir()
    return sum(file.suffix == _SUFFIX for file in files)


def tool_digest(pages: Collection[Path]) -> str:
    """What tells this installation, with its rule pages and `pages` of a project, from one that may judge otherwise."""
    own = {*pages, *(page.parent / EVIDENCE_FILE for page in pages)}
    told = (__version__, sorted((*parts(), *map(stamped, map(str, own)))))
    return blake2b(repr(told).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
