"""How sure the checker is. Apart from the rest of the model: a configuration needs no more of it."""

from __future__ import annotations

from enum import IntEnum


class Confidence(IntEnum):
    """How sure the checker is of the kinds a finding rests on; ordered, so `max` and `>=` work."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def label(self) -> str:
        return self.name.lower()
