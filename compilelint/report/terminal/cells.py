"""Text on a terminal: what is safe to print, and how many cells it takes."""

from __future__ import annotations

import unicodedata

TAB_STOP = 4

_BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_SEPARATORS = frozenset("\u2028\u2029")
_ZERO_WIDTH_CATEGORIES = frozenset({"Mn", "Me", "Cf"})


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey instead of showing.

    Control characters could move the cursor or recolour what follows, bidirectional controls could
    show the source in another order than it runs, and lone surrogates cannot be encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escaped, text))


def width_of(text: str) -> int:
    """Terminal cells that a printable text takes: two for a wide East Asian character, none for an accent."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def pieces(line: str) -> list[str]:
    """A source line character by character, each as it is shown: tabs as spaces up to the next tab stop."""
    shown: list[str] = []
    column = 0
    for char in line:
        piece = " " * (TAB_STOP - column % TAB_STOP) if char == "\t" else _escaped(char)
        shown.append(piece)
        column += width_of(piece)
    return shown


def _escaped(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Cs") or char in _BIDI_CONTROLS or char in _LINE_SEPARATORS:
        return char.encode("ascii", "backslashreplace").decode() if ord(char) > 0x7F else f"\\x{ord(char):02x}"
    return char


def _width(char: str) -> int:
    if unicodedata.category(char) in _ZERO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
