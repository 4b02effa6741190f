"""What a rule of the table is, and how lists of names are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from compilelint.inspect.kinds import Kind
from compilelint.inspect.signatures.calls import Call

Rule: TypeAlias = Callable[[Call], Kind]
"""From a call of one operator to the kind that it gives."""


def words(names: str) -> frozenset[str]:
    """The set of these names, which are parted by white space."""
    return frozenset(names.split())


def each(names: str, rule: Rule) -> dict[str, Rule]:
    """The same rule for every one of these names, which are parted by white space."""
    return dict.fromkeys(names.split(), rule)
