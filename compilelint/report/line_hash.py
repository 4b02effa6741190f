"""How GitHub's code scanning names a line, so that an alert stays the same alert while the file around it changes.

The algorithm is that of github/codeql-action (src/fingerprints.ts), which adds it to results that lack it and warns of
each that has another value: a hash of the first hundred characters from the line's start on, blanks left out and line
ends as `\\n`, and which of the lines with this hash it is.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection

_CHARACTERS = 100
_BASE = 37
_BITS = 64
_END_OF_FILE = 0xFFFF
_BLANKS = str.maketrans("", "", " \t")


def line_hashes(text: str, lines: Collection[int]) -> dict[int, str]:
    """The hashes of these lines, 1-based, of a file; a line that it does not have is left out."""
    compact = [f"{each.translate(_BLANKS)}\n" for each in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if not lines or not compact:
        return {}
    compact[-1] = compact[-1][:-1]
    encoded = [each.encode("utf-16-le", "surrogatepass") for each in compact]
    end = array("H", [_END_OF_FILE, *[0] * _CHARACTERS])
    units = array("H", b"".join(encoded)) + end

    seen: dict[bytes, int] = {}
    found: dict[int, str] = {}
    last = max(lines)
    start = 0
    for number, line in enumerate(encoded[:last], start=1):
        window = units[start : start + _CHARACTERS]
        key = window.tobytes()
        seen[key] = seen.get(key, 0) + 1
        if number in lines:
            found[number] = f"{_hash(window):x}:{seen[key]}"
        start += len(line) // 2
    return found


def _hash(window: array[int]) -> int:
    value = 0
    for unit in window:
        value = (value * _BASE + unit) % (1 << _BITS)
    return value
