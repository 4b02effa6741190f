"""What a check must know of each file before it looks into any, remembered from run to run.

A file whose time of change and size are as they were is not read again, as git does not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from compilelint.analysis.files import Files, FileState, digest_of
from compilelint.analysis.store import Store
from compilelint.check.sources import Given, read_sources
from compilelint.project.files import SourceFile
from compilelint.project.notebooks import CellMap
from compilelint.project.suppressions import may_suppress
from compilelint.report.model import Problem
from compilelint.source.imports import facts_of
from compilelint.source.text import SourceText

_KIND = "files"
_YOUNG_NS = 2_000_000_000
"""What was changed so shortly ago may change again without a difference in time: it is read again."""


@dataclass(frozen=True, slots=True)
class _Stamped:
    changed_ns: int
    size: int
    state: FileState

    def is_as(self, stat: os.stat_result) -> bool:
        return (self.changed_ns, self.size) == (stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True, slots=True)
class Survey:
    """All that is known of some files."""

    states: Mapping[str, FileState]
    """Of each file that can be read and is Python, by its name."""
    paths: Mapping[str, Path]
    texts: Mapping[str, SourceText]
    """Those that are not what is on disk, and the programs of notebooks."""
    problems: tuple[Problem, ...] = ()
    notebooks: Mapping[str, CellMap] = field(default_factory=dict)
    """Of each notebook, by its name, where its cells are."""
    foreign: Mapping[str, str] = field(default_factory=dict)
    """The notebooks that are not Python, by name: their languages."""


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(dict[str, _Stamped])


def survey(files: Iterable[SourceFile], given: Given, store: Store, root: Path) -> Survey:
    """What there is to know of files, from memory where they have not changed. `root` is that of their project."""
    remembered = _remembered(store, root)
    now: dict[str, _Stamped] = {}
    states: dict[str, FileState] = {}
    paths: dict[str, Path] = {}
    unknown: list[tuple[SourceFile, os.stat_result | None]] = []
    for file in files:
        stat = _stat(file.path) if file.path not in given and file.path.suffix == ".py" else None
        known = remembered.get(str(file.path))
        if (
            stat is not None
            and known is not None
            and (known.changed_ns, known.size) == (stat.st_mtime_ns, stat.st_size)
        ):
            now[str(file.path)] = known
            states[file.name], paths[file.name] = known.state, file.path
        else:
            unknown.append((file, stat))
    read = read_sources((file for file, _ in unknown), given)
    texts = {text.name: text for text in read.texts}
    young = time.time_ns() - _YOUNG_NS
    kept: dict[str, SourceText] = {}
    for file, stat in unknown:
        text = texts.get(file.name)
        if text is None:
            continue
        state = states[file.name] = _state(text)
        paths[file.name] = file.path
        if stat is None:
            kept[file.name] = text
        elif stat.st_mtime_ns < young:
            now[str(file.path)] = _Stamped(stat.st_mtime_ns, stat.st_size, state)
    if now.keys() - remembered.keys() or any(now[path] != remembered[path] for path in now):
        with suppress(UnicodeEncodeError):  # where the name of a file is no Unicode, the project is read each time
            store.put(_KIND, {str(root): _encode({**remembered, **now})})
    return Survey(states, paths, kept, read.problems, read.notebooks, read.foreign)


def files_of(root: Path, checked: Survey, around: Survey, packages: Mapping[str, Path]) -> Files:
    """The files of an analysis, from what was seen of those that are checked and of those around them."""
    return Files(
        root,
        {**around.paths, **checked.paths},
        {**around.states, **checked.states},
        {**around.texts, **checked.texts},
        packages,
    )


def _remembered(store: Store, root: Path) -> dict[str, _Stamped]:
    value = store.get(_KIND, [str(root)]).get(str(root))
    if value is None:
        return {}
    try:
        return _decoder.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _state(text: SourceText) -> FileState:
    return FileState(digest_of(text.identity), len(text.text), facts_of(text.text), may_suppress(text.text))
