"""What names stand for at a place, and where several paths come together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind

Env: TypeAlias = dict[str, Kind]
"""By name, or by path (`self.x`, `x[0]`) where something was assigned to that."""


def join_environments(ends: Sequence[Env]) -> Env:
    """What names are where several paths meet; a name that only some paths bind keeps what they gave it."""
    first, *rest = ends
    joined = dict(first) if rest else first
    for other in rest:
        for name, kind in other.items():
            known = joined.get(name)
            if known is None:
                joined[name] = kind if "." not in name and "[" not in name else UNKNOWN
            elif known is not kind and known != kind:
                joined[name] = kinds.join(known, kind)
        for name in first:
            if name not in other and ("." in name or "[" in name):
                joined.pop(name, None)
    return {
        name: kind
        for name, kind in joined.items()
        if type(kind) is not kinds.Unknown or ("." not in name and "[" not in name)
    }
