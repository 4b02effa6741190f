"""What answers and walks rest on: sets of what may be asked of a tree, each of them a number.

Most rest on the same as something else does, or on what one or two others rest on, so a union is looked for by the
numbers of its parts. What is in a set is the bits of a number, too: of a large project that has thousands of digits,
which take long to join, to hash and to compare.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from compilelint.source.tree import Asked

EMPTY = 0
_TEXTS, _FACTS, _OUTLINES, _BODIES, _IMPORTERS, _FEW_IMPORTERS = range(6)
_MOST_PARTS = 24
"""Unions of more parts are not remembered: they hardly come again, and each would hold all its parts."""


class AskedSets:
    """The sets that have come up so far."""

    def __init__(self) -> None:
        self._single: tuple[dict[Any, int], ...] = ({}, {}, {}, {}, {}, {})
        """The set that holds nothing but this thing, by the thing's sort."""
        self._things: list[tuple[int, Any]] = []
        """What each bit stands for: its sort, and itself."""
        self._bits: list[int] = [0]
        """What is in each set."""
        self._by_bits: dict[int, int] = {}
        self._unions: dict[frozenset[int], int] = {}

    def together(self, asked: Asked, parts: set[int]) -> int:
        """The set of what was asked and what is in other sets; these are used up."""
        if asked.outlines:
            self._add(parts, _OUTLINES, asked.outlines)
        if asked.bodies:
            self._add(parts, _BODIES, asked.bodies)
        if asked.texts:
            self._add(parts, _TEXTS, asked.texts)
        if asked.facts:
            self._add(parts, _FACTS, asked.facts)
        if asked.importers:
            self._add(parts, _IMPORTERS, asked.importers)
        if asked.few_importers:
            self._add(parts, _FEW_IMPORTERS, asked.few_importers)
        parts.discard(EMPTY)
        if len(parts) < 2:
            return parts.pop() if parts else EMPTY
        union = frozenset(parts)
        known = self._unions.get(union)
        if known is None:
            known = self._numbered(self._joined(union))
            if len(union) <= _MOST_PARTS:
                self._unions[union] = known
        return known

    def asked_in(self, sets: Set[int]) -> Asked:
        """What is in any of these sets."""
        asked = Asked()
        sorts = _sorts(asked)
        # As a text: to take one bit after the other from a number of thousands copies it each time, and few are set.
        text = f"{self._joined(sets):b}"
        place = text.find("1")
        while place >= 0:
            sort, thing = self._things[len(text) - 1 - place]
            sorts[sort].add(thing)
            place = text.find("1", place + 1)
        return asked

    def _add(self, parts: set[int], sort: int, things: Set[Any]) -> None:
        single = self._single[sort]
        for thing in things:
            number = single.get(thing)
            parts.add(self._new(sort, thing) if number is None else number)

    def _joined(self, sets: Set[int]) -> int:
        joined = 0
        for each in sets:
            joined |= self._bits[each]
        return joined

    def _numbered(self, bits: int) -> int:
        number = self._by_bits.setdefault(bits, len(self._bits))
        if number == len(self._bits):
            self._bits.append(bits)
        return number

    def _new(self, sort: int, thing: Any) -> int:
        # No union of two different sets is the same as this, so that nobody looks for it by its bits.
        number = self._single[sort][thing] = len(self._bits)
        self._bits.append(1 << len(self._things))
        self._things.append((sort, thing))
        return number


def _sorts(asked: Asked) -> tuple[set[Any], ...]:
    return asked.texts, asked.facts, asked.outlines, asked.bodies, asked.importers, asked.few_importers
