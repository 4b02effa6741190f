"""What names stand for at a place, and where several paths come together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from compilelint.inspect import kinds
from compilelint.inspect.kinds import UNKNOWN, Kind

Env: TypeAlias = dict[str, Kind]
"""By name, or by path (`self.x`, `x[0]`) where something was assigned to that."""


def _forgotten(path: str, kind: Kind) -> Kind | None:
    return None


def join_environments(ends: Sequence[Env], unassigned: Callable[[str, Kind], Kind | None] = _forgotten) -> Env:
    """What names are where several paths meet; a name that only some paths bind keeps what they gave it.

    So does an attribute, if `unassigned` says what one that some give this kind is to the others, or that nobody knows;
    all other paths are forgotten.
    """
    first, *rest = ends
    joined = dict(first) if rest else first
    for other in rest:
        for name, kind in other.items():
            known = joined.get(name)
            if known is None:
                joined[name] = kind if "." not in name and "[" not in name else _on_some(name, kind, unassigned)
            elif known is not kind and known != kind:
                joined[name] = kinds.join(known, kind)
        for name in first:
            if name in joined and name not in other and ("." in name or "[" in name):
                joined[name] = _on_some(name, joined[name], unassigned)
    return {
        name: kind
        for name, kind in joined.items()
        if type(kind) is not kinds.Unknown or ("." not in name and "[" not in name)
    }


def _on_some(path: str, kind: Kind, unassigned: Callable[[str, Kind], Kind | None]) -> Kind:
    """What is assigned on some paths only, where they meet the others."""
    otherwise = unassigned(path, kind)
    return UNKNOWN if otherwise is None else kinds.join(kind, otherwise)
