"""Where the bodies of functions stand in a text, and digests of them, remembered from run to run.

Who knows it need not parse bodies that nobody looks into, and sees what another text of the same file changed.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

import msgspec
from msgspec import Struct

from compilelint.analysis.store import Store
from compilelint.source.outline import placeholder
from compilelint.source.text import SourceText
from compilelint.source.watched import Body

_KIND = "outline"
_NUMBERS = 4
"""Of a body."""
_DIGEST_BYTES = 8
"""Of a body's digest: it is compared with one other."""
_REST_BYTES = 16


class Outline(Struct, frozen=True):
    """What is known of a text."""

    check: bytes
    """A digest of the text with the `numbers`: no other text is taken apart at these places."""
    numbers: bytes
    """Where the bodies are, one after the other."""
    rest: bytes
    """A digest of all but the bodies."""
    digests: bytes
    """Those of the bodies, one after the other."""

    def bodies(self) -> list[Body]:
        """Where the bodies are."""
        numbers = iter(array("I", self.numbers))
        return [
            Body(first, last, end_column, bool(stores))
            for first, last, end_column, stores in zip(*[numbers] * _NUMBERS, strict=True)
        ]

    def digest(self, number: int) -> bytes:
        """That of one body; empty if there is none of this number."""
        return self.digests[number * _DIGEST_BYTES : (number + 1) * _DIGEST_BYTES]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Outline)


def known_outlines(store: Store, tool: str, texts: Iterable[str]) -> dict[str, Outline]:
    """What earlier runs know of texts, by their digests; `tool` is a digest of this program."""
    keys = {_key(tool, text): text for text in texts}
    found: dict[str, Outline] = {}
    for key, value in store.get(_KIND, keys).items():
        try:
            outline = _decoder.decode(value)
        except msgspec.DecodeError:
            continue
        if _is_whole(outline):
            found[keys[key]] = outline
    store.used(_KIND, (_key(tool, text) for text in found))
    return found


def keep_outlines(store: Store, tool: str, outlines: Mapping[str, Outline]) -> None:
    """Remember what is known of texts, by their digests."""
    store.put(_KIND, {_key(tool, text): _encode(outline) for text, outline in outlines.items()})


def outline_to_keep(text: SourceText, bodies: Sequence[Body]) -> Outline:
    """What is to be remembered of a text that has these bodies."""
    lines, at = text.text.split("\n"), 0
    numbers, rest, digests = array("I"), list[str](), b""
    for body in bodies:
        numbers.extend((body.first, body.last, body.end_column, int(body.stores)))
        digests += _digest(lines[body.first - 1 : body.last], _DIGEST_BYTES)
        # Whether it assigns attributes is known to who does not look into it; how many lines it has is not.
        rest += (*lines[at : body.first - 1], placeholder(lines, body), str(body.stores))
        at = body.last
    rest += lines[at:]
    return Outline(_check(text, numbers.tobytes()), numbers.tobytes(), _digest(rest, _REST_BYTES), digests)


def bodies_in(text: SourceText, outline: Outline | None) -> Sequence[Body] | None:
    """The bodies in a text; None if they are not known, as the outline is that of another one."""
    if outline is None or outline.check != _check(text, outline.numbers):
        return None
    return outline.bodies()


def _is_whole(outline: Outline) -> bool:
    """Whether it has as many digests as places: nobody knows who wrote it."""
    count, rest = divmod(len(outline.numbers), _NUMBERS * array("I").itemsize)
    return not rest and len(outline.digests) == count * _DIGEST_BYTES


def _digest(lines: Sequence[str], size: int) -> bytes:
    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=size).digest()


def _check(text: SourceText, numbers: bytes) -> bytes:
    return blake2b(numbers + text.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _key(tool: str, text: str) -> str:
    return "\0".join((tool, sys.implementation.cache_tag, sys.byteorder, text))
