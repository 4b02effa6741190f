"""Lines of texts."""

from __future__ import annotations

from collections.abc import Iterator


def lines_with(word: str, text: str) -> Iterator[str]:
    """The lines of a text that hold a word, for what takes longer to look for than a word."""
    found = text.find(word)
    while found >= 0:
        end = text.find("\n", found)
        yield text[text.rfind("\n", 0, found) + 1 : end if end >= 0 else len(text)]
        found = text.find(word, end) if end >= 0 else -1
