"""The texts of a project's files, read when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from compilelint.source.text import SourceText


class Texts(Mapping[str, SourceText]):
    """Texts by the names of their files. Only its memory of what was read grows.

    `given` are those that stand for what is on disk; `read` gives the text of a file, None if it cannot be had.
    """

    def __init__(
        self, paths: Mapping[str, Path], given: Mapping[str, SourceText], read: Callable[[Path], str | None]
    ) -> None:
        self.paths = paths
        self._texts = dict(given)
        self._read = read

    def __getitem__(self, name: str) -> SourceText:
        known = self._texts.get(name)
        if known is not None:
            return known
        path = self.paths[name]
        text = self._read(path)
        if text is None:
            raise KeyError(name)
        made = self._texts[name] = SourceText(name, path, text)
        return made

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)
