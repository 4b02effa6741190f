"""Tables that are remembered as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from compilelint.analysis.store import Store

_T = TypeVar("_T")


class _Table(Generic[_T], Struct, frozen=True):
    among: str
    rows: dict[str, _T]


class Kept(Generic[_T]):
    """Tables of one kind in a store, each with rows of one type.

    `among` is what decides, beside a row, what it means: the program, which files there are. Under another one nothing
    is known.
    """

    def __init__(self, kind: str, row: type[_T]) -> None:
        self._kind = kind
        self._encode = msgspec.msgpack.Encoder().encode
        self._decoder: msgspec.msgpack.Decoder[_Table[_T]] = msgspec.msgpack.Decoder(_Table[row])  # type: ignore[valid-type]

    def known(self, store: Store, key: str, among: str) -> dict[str, _T]:
        """The rows of a table; none if it is not known, or cannot be read."""
        value = store.get(self._kind, [key]).get(key)
        if value is None:
            return {}
        try:
            table = self._decoder.decode(value)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return {}
        return table.rows if table.among == among else {}

    def keep(self, store: Store, key: str, among: str, rows: Mapping[str, _T]) -> None:
        """Remember a table in the place of what was known; not one that names a file whose name is no Unicode."""
        with suppress(UnicodeEncodeError):
            store.put(self._kind, {key: self._encode(_Table(among, dict(rows)))})
