"""Keys that are asked for several times: what they hold may nest deep, and to hash it takes long."""

from __future__ import annotations

from collections.abc import Hashable


class Hashed:
    """A key that computes its hash once."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: Hashable) -> None:
        self.value = value
        self._hash = hash(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Hashed) and self._hash == other._hash and self.value == other.value)
