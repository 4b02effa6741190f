"""Lines of texts."""

from __future__ import annotations

from collections.abc import Iterator


def lines_with(word: str, text: str) -> Iterator[str]:
    """The lines of a text that hold a word, for what takes longer to look for than a word."""
    for start in starts_of_lines_with(word, text):
        end = text.find("\n", start)
        yield text[start : end if end >= 0 else len(text)]


def starts_of_lines_with(word: str, text: str) -> Iterator[int]:
    """Where the lines of a text begin that hold a word."""
    found = text.find(word)
    while found >= 0:
        yield text.rfind("\n", 0, found) + 1
        end = text.find("\n", found)
        found = text.find(word, end) if end >= 0 else -1
