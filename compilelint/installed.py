"""This installation of the program: where its rule pages are, and what tells it from one that may judge otherwise."""

from __future__ import annotations

import os
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


def stamped(path: str) -> tuple[str, int, int]:
    """A file, its size and its time of change; zeros if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return path, 0, 0
    return path, stat.st_size, stat.st_mtime_ns
