"""Which files a program imports from a directory, as their text says: what belongs together without a project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from compilelint.project.files import Unreadable, read_source
from compilelint.source.facts import facts_of

_NAME = re.compile(r"\s*([\w.]+)")
"""The first word of `a.b as c`."""


def imported_by(files: Iterable[Path], within: Path) -> frozenset[Path]:
    """The files at or below a directory that these import, those that they import in turn, and their packages."""
    begin = set(files)
    known = set(begin)
    waiting = list(begin)
    while waiting:
        new = set(_imports(waiting.pop(), within)) - known
        known |= new
        waiting += new
    return frozenset(known - begin)


def _imports(file: Path, within: Path) -> Iterator[Path]:
    try:
        facts = facts_of(read_source(file))
    except Unreadable:
        return
    for module, names, plain in facts.imports:
        if plain:
            for name in _names(plain):
                yield from _found(name.split("."), _homes(file, within))
            continue
        level = len(module) - len(module.lstrip("."))
        parts = [part for part in module.split(".") if part]
        homes = [file.parents[level - 1]] if 0 < level <= len(file.parents) else list(_homes(file, within))
        yield from _found(parts, homes)
        for name in _names(names):
            yield from _found([*parts, name], homes)


def _names(listed: str) -> Iterator[str]:
    return (found[1] for found in map(_NAME.match, listed.split(",")) if found)


def _homes(file: Path, within: Path) -> Iterator[Path]:
    """The directories in which Python, or what a script adds to its path, may find the modules that a file imports."""
    inside = (each for each in file.parents if each.is_relative_to(within))
    return (each for each in inside if not _is_file(each / "__init__.py"))


def _found(parts: list[str], homes: Iterable[Path]) -> Iterator[Path]:
    """The file of a module, and those of the packages that it is in; from the first directory that has it."""
    for home in homes:
        module = home.joinpath(*parts)
        file = next(filter(_is_file, (module.with_name(f"{module.name}.py"), module / "__init__.py")), None)
        if file is not None:
            packages = (home.joinpath(*parts[:count], "__init__.py") for count in range(len(parts)))
            yield from (each for each in packages if _is_file(each))
            yield file
            return


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)
