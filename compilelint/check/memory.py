"""Where a check remembers what it found out, and what makes it forget."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from hashlib import blake2b
from pathlib import Path

from compilelint import __version__
from compilelint.catalog import rules_directory
from compilelint.catalog.load import EVIDENCE_FILE

_SUFFIX = ".sqlite"
_CACHE = re.compile(r".+-[0-9a-f]{16}\.sqlite(-wal|-shm)?")
_PACKAGE = Path(__file__).resolve().parents[1]


def cache_directory() -> Path:
    """Where the caches of all projects are, if the command line does not say."""
    if asked := os.environ.get("COMPILELINT_CACHE_DIR"):
        return Path(asked)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "compilelint" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "compilelint"


def cache_file(directory: Path, root: Path) -> Path:
    """The file for the project in a directory."""
    name = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return directory / f"{root.name or 'root'}-{name}{_SUFFIX}"


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
    told = (__version__, sorted((*_below(_PACKAGE), *_below(rules_directory()), *map(_told, map(str, own)))))
    return blake2b(repr(told).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _below(folder: Path) -> Iterator[tuple[str, int, int]]:
    pending = [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".md", ".json")):
                    yield _told(entry.path)
                elif entry.is_dir():
                    pending.append(entry.path)


def _told(path: str) -> tuple[str, int, int]:
    """A file, its size and its time of change."""
    try:
        stat = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, stat.st_size, stat.st_mtime_ns
