"""The baseline's file: JSON with one entry on each line, sorted, so that its changes can be reviewed and merged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from compilelint.project.files import Unreadable, read_source, reason, write_atomically
from compilelint.project.notebooks import SUFFIX
from compilelint.report.baseline import Baseline, Entry

DEFAULT_NAME = "compilelint-baseline.json"
SCHEMA_VERSION = 1
_VERSION = re.compile(r"\d+\.\d+")
_INSTALLED = ("site-packages", "dist-packages")
_ELSEWHERE = _INSTALLED[0]
_REQUIRED = ("path", "function", "code", "source", "fingerprint")
_OPTIONAL = ("about", "package")


class BaselineError(Exception):
    """The file cannot be read or written, or is no baseline; the message is one line that names it."""


def read_baseline(file: Path) -> Baseline:
    """The baseline in a file. Raises BaselineError."""
    try:
        document = json.loads(file.read_bytes().decode("utf-8"))
    except FileNotFoundError as error:
        raise BaselineError(f"{file}: no such file; `compilelint baseline` writes one") from error
    except OSError as error:
        raise BaselineError(f"{file}: {reason(error)}") from error
    except json.JSONDecodeError as error:
        raise BaselineError(f"{file}:{error.lineno}: is no JSON: {error.msg[0].lower()}{error.msg[1:]}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"{file}: is no JSON in UTF-8") from error
    if not isinstance(document, dict) or not isinstance(document.get("schema_version"), int):
        raise BaselineError(f"{file}: is no baseline: there is no schema_version in it")
    if document["schema_version"] > SCHEMA_VERSION:
        raise BaselineError(
            f"{file}: schema_version {document['schema_version']} is of a newer compilelint; this one reads "
            f"{SCHEMA_VERSION}"
        )
    torch, entries = document.get("target_torch"), document.get("entries")
    if not isinstance(torch, str) or not _VERSION.match(torch) or not isinstance(entries, list):
        raise BaselineError(f"{file}: is no baseline: `target_torch`, a version, and a list `entries` are expected")
    # A merge of two branches may have left an entry twice.
    return Baseline(torch, tuple(sorted({_entry(file, number, each) for number, each in enumerate(entries, start=1)})))


def _entry(file: Path, number: int, value: Any) -> Entry:
    known = value if isinstance(value, dict) else {}
    values = {key: known[key] for key in (*_REQUIRED, *_OPTIONAL) if key in known}
    if not set(_REQUIRED) <= values.keys() or not all(isinstance(each, str) for each in values.values()):
        raise BaselineError(f"{file}: entry {number} must have the texts {', '.join(_REQUIRED)}")
    return Entry(**values)


def write_baseline(file: Path, baseline: Baseline) -> None:
    """Write it, whole or not at all. Raises BaselineError."""
    lines = [f"    {json.dumps(_fields(entry))}" for entry in sorted(baseline.entries)]
    listed = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    head = f'{{\n  "schema_version": {SCHEMA_VERSION},\n  "target_torch": {json.dumps(baseline.target_torch)},\n'
    try:
        write_atomically(file, f'{head}  "entries": {listed}\n}}\n'.encode("ascii"))
    except OSError as error:
        raise BaselineError(f"{file}: {reason(error)}") from error


def _fields(entry: Entry) -> dict[str, str]:
    optional = {key: value for key in _OPTIONAL if (value := getattr(entry, key))}
    return {**{key: getattr(entry, key) for key in _REQUIRED[:-1]}, **optional, "fingerprint": entry.fingerprint}


def namer(file: Path, root: Path) -> Callable[[str], str]:
    """How a baseline in `file` calls what a report names from `root`: from the baseline's own directory.

    Links are resolved, so that a file has one name from wherever it is checked. What is installed is called as it is
    imported: it lies elsewhere on each machine.
    """
    folder = os.path.realpath(file.parent)

    @cache
    def name(path: str) -> str:
        if path == "-" or path.startswith("<"):
            return path
        real = Path(os.path.realpath(root / path))
        if real.is_relative_to(folder):
            return real.relative_to(folder).as_posix()
        installed = [index for index, part in enumerate(real.parts) if part in _INSTALLED]
        if installed:
            return "/".join((_ELSEWHERE, *real.parts[installed[-1] + 1 :]))
        try:
            return Path(os.path.relpath(real, folder)).as_posix()
        except ValueError:  # Windows: on another drive
            return real.as_posix()

    return name


def vanished(file: Path, entries: Iterable[Entry]) -> frozenset[str]:
    """The files of a baseline's entries that do not exist any more."""
    paths = {entry.path for entry in entries}
    there = (path for path in paths if not path.startswith(f"{_ELSEWHERE}/"))
    return frozenset(path for path in there if not os.path.exists(file.parent / path))


def has_line(file: Path, entry: Entry) -> bool:
    """Whether the line that an entry is about may still be in its file; of what is not read the answer is yes.

    That is what is installed, and notebooks.
    """
    if entry.path.startswith(f"{_ELSEWHERE}/"):
        return True
    if entry.path.endswith(SUFFIX):
        return os.path.exists(file.parent / entry.path)
    try:
        text = read_source(file.parent / entry.path)
    except Unreadable:
        return False
    return any(" ".join(line.split()) == entry.source for line in text.split("\n"))
