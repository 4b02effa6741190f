"""How sure the checker is. Apart from the rest of the model: a configuration needs no more of it."""

from __future__ import annotations

from enum import IntEnum


class Confidence(IntEnum):
    """How sure the checker is of the kinds a finding rests on; ordered, so `max` and `>=` work."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    # Kinds are hashed all the time, and these with them: as numbers, not by name as other enumerations are.
    __hash__ = int.__hash__

    @property
    def label(self) -> str:
        return self.name.lower()
