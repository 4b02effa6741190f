"""What a check must know of each file before it looks into any, remembered from run to run.

A file whose times of change and size are as they were is not read again, as git does not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from compilelint.analysis.files import Files, FileState, digest_of
from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store
from compilelint.check.sources import Given, read_sources
from compilelint.project.files import SourceFile
from compilelint.project.notebooks import CellMap
from compilelint.project.suppressions import may_suppress
from compilelint.report.model import Problem
from compilelint.source.facts import facts_of
from compilelint.source.text import SourceText

_YOUNG_NS = 2_000_000_000
"""What was changed so shortly ago may change again without a difference in time: it is read again."""


_Stamp: TypeAlias = tuple[int, int, int]
"""When a file's text changed, when anything about it did, and its size. The second tells a text that somebody put in
the place of another with the times of that one; Windows has none."""


class Stamped(Struct, frozen=True):
    """What was seen in a file when it had these times and this size."""

    stamp: _Stamp
    state: FileState


_FILES = Kept("files", Stamped)


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
    stamped: Mapping[str, Stamped] = field(default_factory=dict)
    """By its path, what may be remembered of each file."""


def remembered(store: Store, root: Path, tool: str) -> Mapping[str, Stamped]:
    """What earlier runs saw in the files of the project at `root`, by their paths.

    `tool` is a digest of this program: what another one remembered is not used.
    """
    return _FILES.known(store, str(root), tool)


def remember(store: Store, root: Path, tool: str, known: Mapping[str, Stamped], now: Mapping[str, Stamped]) -> None:
    """Keep what is seen now beside what was known before, of files that are still there."""
    if all(known.get(path) == each for path, each in now.items()):
        return
    still = {path: each for path, each in known.items() if path in now or os.path.exists(path)}
    _FILES.keep(store, str(root), tool, {**still, **now})


def survey(files: Iterable[SourceFile], given: Given, remembered: Mapping[str, Stamped]) -> Survey:
    """What there is to know of files, from memory where they have not changed."""
    now: dict[str, Stamped] = {}
    states: dict[str, FileState] = {}
    paths: dict[str, Path] = {}
    unknown: list[tuple[SourceFile, _Stamp | None]] = []
    for file in files:
        path = str(file.path)
        stamp = _stamp(path) if path.endswith(".py") and file.path not in given else None
        known = remembered.get(path)
        if stamp is not None and known is not None and known.stamp == stamp:
            now[path] = known
            states[file.name], paths[file.name] = known.state, file.path
        else:
            unknown.append((file, stamp))
    read = read_sources((file for file, _ in unknown), given)
    texts = {text.name: text for text in read.texts}
    young = time.time_ns() - _YOUNG_NS
    kept: dict[str, SourceText] = {}
    for file, stamp in unknown:
        text = texts.get(file.name)
        if text is None:
            continue
        state = states[file.name] = _state(text)
        paths[file.name] = file.path
        if stamp is None:
            kept[file.name] = text
        elif max(stamp[:2]) < young:
            now[str(file.path)] = Stamped(stamp, state)
    return Survey(states, paths, kept, read.problems, read.notebooks, read.foreign, now)


def files_of(root: Path, checked: Survey, around: Survey, packages: Mapping[str, Path]) -> Files:
    """The files of an analysis, from what was seen of those that are checked and of those around them."""
    return Files(
        root,
        {**around.paths, **checked.paths},
        {**around.states, **checked.states},
        {**around.texts, **checked.texts},
        packages,
    )


def _stamp(path: str) -> _Stamp | None:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size


def _state(text: SourceText) -> FileState:
    return FileState(digest_of(text.identity), len(text.text), facts_of(text.text), may_suppress(text.text))
