"""The lines of what Dynamo makes of the rest of a function after a break.

It writes a table of lines for that function. An instruction of more than eight code units takes several entries, and
torch (2.5.1 to 2.15.0) moves on to its line in each of them, not only in the first. Loading a method takes more than
eight on Python 3.11 and newer, so a chain of calls over several lines (`.view(…)`, then `.sum()` on the next) puts all
that follows on other lines: in TORCH_LOGS, in tracebacks, and in what is recorded here. What runs is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Update = Callable[[Any, int], None]
"""Takes the position of an instruction and how many code units it is long."""

_LONGEST_ENTRY = 8
"""Code units that one entry of a table can be long (CPython, Objects/locations.md)."""


def exact(writer: Callable[[int], tuple[list[int], Update]]) -> Callable[[int], tuple[list[int], Update]]:
    """`linetable_311_writer` that writes an instruction in pieces of one entry: to the second it need not move."""

    def linetable_311_writer(first_lineno: int) -> tuple[list[int], Update]:
        table, update = writer(first_lineno)

        def in_pieces(positions: Any, size: int) -> None:
            while size > _LONGEST_ENTRY:
                update(positions, _LONGEST_ENTRY)
                size -= _LONGEST_ENTRY
            update(positions, size)

        return table, in_pieces

    return linetable_311_writer
