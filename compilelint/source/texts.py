"""The texts of a project's files, read when somebody asks for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from compilelint.source.text import SourceText

_MAX_CHARACTERS = 4_000_000
"""Of the texts that are kept as they are; one emoji makes four bytes of each character, so that others are packed."""


class Texts(Mapping[str, SourceText]):
    """Texts by the names of their files. Only its memory of what was read grows: a file is read once.

    `given` are those that stand for what is on disk; `read` gives the text of a file, None if it cannot be had.
    """

    def __init__(
        self, paths: Mapping[str, Path], given: Mapping[str, SourceText], read: Callable[[Path], str | None]
    ) -> None:
        self.paths = paths
        self._given = dict(given)
        self._texts: OrderedDict[str, SourceText] = OrderedDict()
        self._packed: dict[str, bytes] = {}
        self._size = 0
        self._read = read

    def __getitem__(self, name: str) -> SourceText:
        known = self._given.get(name)
        if known is not None:
            return known
        known = self._texts.get(name)
        if known is not None:
            self._texts.move_to_end(name)
            return known
        path = self.paths[name]
        packed = self._packed.get(name)
        text = self._read(path) if packed is None else packed.decode("utf-8", "surrogatepass")
        if text is None:
            raise KeyError(name)
        made = self._texts[name] = SourceText(name, path, text)
        self._size += len(text)
        while self._size > _MAX_CHARACTERS and len(self._texts) > 1:
            other, oldest = self._texts.popitem(last=False)
            self._size -= len(oldest.text)
            if other not in self._packed:
                self._packed[other] = oldest.text.encode("utf-8", "surrogatepass")
        return made

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)
