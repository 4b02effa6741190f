"""Where a line of a notebook's cell stands in the file: for services that show files, and know of no cells."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TOKEN = re.compile(rf"(?P<key>{_TEXT})\s*:|(?P<text>{_TEXT})|(?P<mark>[{{}}\[\],])", re.DOTALL)
_SOURCES = ("source", "input")
"""What the source of a cell is called, in notebooks of version 4 and 3."""

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value of a JSON document."""


def cell_lines(text: str) -> Mapping[int, tuple[int, ...]]:
    """Of each cell of a notebook, the first is 1, the lines of the file on which the lines of its source stand.

    Both are 1-based. Empty if the text is not JSON, or no notebook.
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return {}
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    cells: dict[int, list[int]] = {}
    open_lines: set[int] = set()
    for path, literal, offset in _texts(text):
        cell = _cell(path)
        if cell is None:
            continue
        lines = cells.setdefault(cell, [])
        for piece in json.loads(literal).splitlines(keepends=True):
            if cell not in open_lines:  # else what has begun goes on
                lines.append(bisect_right(starts, offset))
            open_lines.discard(cell) if piece.endswith("\n") else open_lines.add(cell)
    return {cell: tuple(lines) for cell, lines in cells.items()}


def _cell(path: Path) -> int | None:
    """The cell whose source a string is, or is part of: it may be a list of strings."""
    below = path[2:] if path[:1] == ("worksheets",) else path
    match below:
        case ("cells", int(index), str(name), *rest) if name in _SOURCES and len(rest) <= 1:
            return index + 1
    return None


def _texts(document: str) -> Iterator[tuple[Path, str, int]]:
    """Every string that is a value in a JSON document: what leads to it, how it is written, where it begins."""
    around: list[str | int] = []
    for token in _TOKEN.finditer(document):
        if token["key"] is not None:
            around[-1] = json.loads(token["key"])
        elif token["text"] is not None:
            yield tuple(around), token["text"], token.start()
        elif token["mark"] in "{[":
            around.append("" if token["mark"] == "{" else 0)
        elif token["mark"] in "}]":
            around.pop()
        elif isinstance(around[-1], int):
            around[-1] += 1
