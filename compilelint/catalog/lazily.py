"""A mapping that reads its values when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

Raw = TypeVar("Raw")
Value = TypeVar("Value")


class Lazily(Mapping[str, Value], Generic[Raw, Value]):
    """`raw`, each value of which is read once, at its first use."""

    def __init__(self, raw: Mapping[str, Raw], read: Callable[[Raw], Value]) -> None:
        self._raw = raw
        self._read = read
        self._values: dict[str, Value] = {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._values:
            self._values[key] = self._read(self._raw[key])
        return self._values[key]

    def __contains__(self, key: object) -> bool:
        return key in self._raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)
