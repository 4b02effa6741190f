"""What a process needs to walk units, and how it walks them. A job can be sent to another process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from compilelint.catalog import Rule
from compilelint.match.matcher import Matcher
from compilelint.match.units import Program, Unit, UnitResult, inspect_unit
from compilelint.project.files import Unreadable, read_source
from compilelint.regions.settings import together
from compilelint.source.imports import FileFacts
from compilelint.source.library import Library
from compilelint.source.text import SourceText
from compilelint.source.texts import Texts
from compilelint.source.tree import SourceTree

_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class Files:
    """The files of an analysis."""

    root: Path
    paths: Mapping[str, Path]
    facts: Mapping[str, FileFacts]
    given: Mapping[str, SourceText] = field(default_factory=dict)
    """Texts that stand for what is on disk."""
    packages: Mapping[str, Path] = field(default_factory=dict)
    """Followed packages: dotted name → directory, or file."""

    def tree(self, checked: frozenset[str] = frozenset()) -> SourceTree:
        """A tree over them, of which nothing is read yet."""
        texts = Texts(self.paths, self.given, read_text)
        return SourceTree.over(self.root, texts, checked, self.facts, Library(self.packages, read_text))


@dataclass(frozen=True, slots=True)
class Job:
    """What holds for all units of an analysis."""

    files: Files
    rules: tuple[Rule, ...]
    program: Program


@dataclass(frozen=True, slots=True)
class Walked:
    """What a unit showed, and what that rests on: as long as all of it is as it was, so is the result."""

    result: UnitResult
    texts: dict[str, str]
    """The files that were looked at, with the digests of their texts; empty for what could not be read."""
    importers: dict[str, tuple[str, ...]]
    """The files of which the importers were asked for, with these, sorted."""


def walker(job: Job, tree: SourceTree | None = None) -> Callable[[Unit], Walked]:
    """A function that walks one unit after the other; it raises RootError if a named root is not there."""
    walked_tree = tree or job.files.tree()
    harmless = together(job.program.settings.values()).harmless_callees
    matcher = Matcher(job.rules, job.program.target_torch, harmless)
    digests: dict[str, str] = {}

    def digest(name: str) -> str:
        if name not in digests:
            text = walked_tree.text(name)
            digests[name] = digest_of(text.text) if text is not None else ""
        return digests[name]

    def walk(unit: Unit) -> Walked:
        walked_tree.forget_asked()
        if unit.name:
            walked_tree.module(unit.name)
        result = inspect_unit(walked_tree, matcher, unit, job.program)
        looked_at, importers = set(walked_tree.asked), set(walked_tree.asked_importers)
        return Walked(
            result,
            {name: digest(name) for name in sorted(looked_at)},
            {name: tuple(sorted(walked_tree.importers(name))) for name in sorted(importers)},
        )

    return walk


def digest_of(text: str) -> str:
    """What tells a text from others."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def read_text(path: Path) -> str | None:
    """The text of a file; None if it cannot be had."""
    try:
        return read_source(path)
    except Unreadable:
        return None
