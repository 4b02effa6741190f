"""The files of an analysis: what is known of each before it is looked into."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field

from compilelint.project.files import Unreadable, read_source
from compilelint.source.facts import FileFacts
from compilelint.source.imports import Links
from compilelint.source.library import Library
from compilelint.source.text import SourceText
from compilelint.source.texts import Texts
from compilelint.source.tree import SourceTree

_DIGEST_BYTES = 16


class FileState(Struct, frozen=True):
    """What is known of a file's text."""

    digest: str
    characters: int
    facts: FileFacts
    may_suppress: bool
    """It may hold comments that accept findings."""


class Files(Struct, frozen=True):
    """The files of a project. They can be sent to another process."""

    root: Path
    paths: Mapping[str, Path]
    states: Mapping[str, FileState]
    given: Mapping[str, SourceText] = field(default_factory=dict)
    """Texts that stand for what is on disk."""
    packages: Mapping[str, Path] = field(default_factory=dict)
    """Followed packages: dotted name → directory, or file."""

    def texts(self) -> Texts:
        """Their texts, none of which is read yet."""
        return Texts(self.paths, self.given, read_text)

    def library(self) -> Library:
        """The followed packages, of which nothing is read yet."""
        return Library(self.packages, read_text)

    def tree(
        self, checked: frozenset[str] = frozenset(), links: Mapping[str, Links] = MappingProxyType({})
    ) -> SourceTree:
        """A tree over them, of which nothing is read yet; `links` are known, of some of them."""
        facts = {name: state.facts for name, state in self.states.items()}
        return SourceTree.over(self.root, self.texts(), checked, facts, self.library(), links)


def digest_of(text: str) -> str:
    """What tells a text from others."""
    return digest_of_bytes(text.encode("utf-8", "surrogatepass"))


def digest_of_bytes(text: bytes) -> str:
    """The same of a text that is encoded."""
    return blake2b(text, digest_size=_DIGEST_BYTES).hexdigest()


def read_text(path: Path) -> str | None:
    """The text of a file; None if it cannot be had."""
    try:
        return read_source(path)
    except Unreadable:
        return None
