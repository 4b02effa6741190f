"""What is installed: this program with its rule pages, what tells it from one that judges otherwise, and torch."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

EVIDENCE_FILE = "evidence.json"
_PACKAGE = os.path.dirname(os.path.realpath(__file__))
_PARTS = (".py", ".md", ".json", ".j2", ".css", ".js")


def rules_folder() -> str:
    """Where the rule pages are: inside the package of a wheel, beside the package of a checkout."""
    for folder in (os.path.join(_PACKAGE, "_rules"), os.path.join(os.path.dirname(_PACKAGE), "rules")):
        if os.path.isdir(folder):
            return folder
    raise FileNotFoundError("the rule pages are missing from this installation of compilelint")


def parts() -> Iterator[tuple[str, int, int]]:
    """The files of the program and its rule pages, in any order: path, size, and when each changed (ns)."""
    pending = [_PACKAGE, rules_folder()]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(_PARTS):
                    yield stamped(entry.path)
                elif entry.name != "__pycache__" and entry.is_dir():
                    pending.append(entry.path)


def version_of(package: str) -> str | None:
    """The version of a package where the tool runs; None if it is not installed.

    It stands in the name of the directory that holds its metadata. `importlib.metadata`, which knows all else that an
    installation may look like, takes longer to import than a check of a small project takes.
    """
    for folder in sys.path:
        if os.path.isfile(folder):
            return _found_by_python(package)
        try:
            names = os.listdir(folder or os.curdir)
        except OSError:
            continue
        found = [name for name in names if _is_metadata(name.lower(), package)]
        if found:
            named = re.fullmatch(r"[^-]+-(\d[\w.+]*)\.dist-info", found[0])
            is_whole = os.path.isfile(os.path.join(folder, found[0], "METADATA"))
            return named[1] if named and is_whole and len(found) == 1 else _found_by_python(package)
    return None


def _is_metadata(name: str, package: str) -> bool:
    return name.startswith((f"{package}-", f"{package}.")) and name.endswith((".dist-info", ".egg-info"))


def _found_by_python(package: str) -> str | None:
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def stamped(path: str) -> tuple[str, int, int]:
    """A file, its size and its time of change; zeros if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, stat.st_size, stat.st_mtime_ns
