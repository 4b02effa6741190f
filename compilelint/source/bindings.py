"""Whether a module may bind a name, as far as its text tells without being parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEFORE = re.compile(r"(?:^|[,(\[=:;\n]|\b(?:def|class|import|as))[ \t\\\r]*\Z")
_AFTER = re.compile(r"[ \t\\\r\n]*(?:[:,)\]=;#]|\Z)|[ \t\\\r]*\n")
_LINE_OF_IMPORT = re.compile(r"[ \t]*import\b")
_LONGEST_GAP = 60
"""Characters before a name that are looked at; more blanks than that before it count as a line's begin."""


def may_bind(text: str, name: str) -> bool:
    """Whether a module of this text may bind a name at its top level: True wherever that is not sure.

    A definition, an import or the target of an assignment may; a name that is called or asked for an attribute is read.
    """
    return any(_binds(text, start, start + len(name)) for start in _occurrences(text, name))


def _occurrences(text: str, name: str) -> Iterator[int]:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_is_in_word(text[start - 1 : start]) or _is_in_word(text[end : end + 1])):
            yield start
        start = text.find(name, end)


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _binds(text: str, start: int, end: int) -> bool:
    before = text[max(start - _LONGEST_GAP, 0) : start]
    if before.rstrip(" \t\\\r\n").endswith(("def", "class")):
        return True
    if _BEFORE.search(before) is not None and _AFTER.match(text, end) is not None:
        return True
    return _LINE_OF_IMPORT.match(text, text.rfind("\n", 0, start) + 1) is not None
