"""Where the bodies of functions stand, remembered from run to run: who knows it need not parse them.

It depends on a text and on Python's version, on nothing else.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct

from compilelint.analysis.kept import Kept
from compilelint.analysis.store import Store
from compilelint.source.text import SourceText
from compilelint.source.unparsed import Body

_NUMBERS = 4
"""Of a body."""


class Outline(Struct, frozen=True):
    """What is left out of a text."""

    check: bytes
    """A digest of the text with what is left out of it: no other text is taken apart at these places."""
    numbers: bytes
    """Of one body after the other."""


_OUTLINES = Kept("outlines", Outline)


def known_outlines(store: Store, root: str, tool: str) -> dict[str, Outline]:
    """What earlier runs know of files, by their names; `tool` is a digest of this program."""
    return _OUTLINES.known(store, root, _among(tool))


def keep_outlines(store: Store, root: str, tool: str, outlines: Mapping[str, Outline]) -> None:
    """Remember them, in the place of what was known."""
    _OUTLINES.keep(store, root, _among(tool), outlines)


def outline_of(text: SourceText, bodies: Iterable[Body]) -> Outline:
    """What is to be remembered of a text."""
    numbers = array("I", (number for body in bodies for number in _numbers(body))).tobytes()
    return Outline(_check(text, numbers), numbers)


def left_out(text: SourceText, outline: Outline | None) -> Sequence[Body]:
    """The bodies to leave out of a text; none if the outline is that of another one."""
    if outline is None or outline.check != _check(text, outline.numbers):
        return ()
    numbers = iter(array("I", outline.numbers))
    return [
        Body(first, last, end_column, bool(stores))
        for first, last, end_column, stores in zip(*[numbers] * _NUMBERS, strict=True)
    ]


def _numbers(body: Body) -> tuple[int, int, int, int]:
    return body.first, body.last, body.end_column, int(body.stores)


def _check(text: SourceText, numbers: bytes) -> bytes:
    return blake2b(numbers + text.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _among(tool: str) -> str:
    return f"{tool} {sys.implementation.cache_tag} {sys.byteorder}"
