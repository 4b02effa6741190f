"""The ways in which a function is called: up to a limit they are told apart."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect import kinds
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.events import Mode
from compilelint.inspect.hashed import Hashed
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.report.confidence import Confidence

MAX_WAYS = 12
"""Ways of being called that are told apart for one function; further ones count as the same."""


class Way(Struct, frozen=True):
    """A function and how it is called, as the limit counts it."""

    together: Hashable
    """What is counted together."""
    each: Hashable
    """What makes it another way."""


@dataclass(slots=True)
class Ways:
    """How many there were so far."""

    _seen: set[Hashable] = field(default_factory=set)
    _counts: dict[Hashable, int] = field(default_factory=dict)

    def count(self, together: Hashable) -> int:
        """How many there were of those that count together."""
        return self._counts.get(together, 0)

    def has(self, way: Way) -> bool:
        """Whether it was there before."""
        return way.each in self._seen

    def add(self, way: Way) -> None:
        """Count one more, unless it was there before."""
        if not self.has(way):
            self._seen.add(way.each)
            self._counts[way.together] = self.count(way.together) + 1

    def take(
        self, function: kinds.Function, arguments: Arguments, mode: Mode, ceiling: Confidence
    ) -> tuple[Arguments, Way, bool]:
        """Count a call; gives the arguments with which to go on, the way, and whether they are still told apart."""
        # Functions among the arguments make other functions of the one that calls them: these do not count together.
        callbacks = tuple(kind.key for kind in arguments.args if isinstance(kind, kinds.Function))
        together = (function.key, callbacks, mode)
        way = Way(together, Hashed((together, arguments, function.receiver, ceiling)))
        count = self.count(together)
        if count < MAX_WAYS or self.has(way):
            self.add(way)
            return arguments, way, True
        if count >= 4 * MAX_WAYS:
            return Arguments(open_ended=True), way, False
        self.add(way)
        return coarsened(arguments), way, False


def coarsened(arguments: Arguments) -> Arguments:
    """The arguments with everything left out that tells one call from another of the same sort."""
    return Arguments(
        tuple(_coarse(kind) for kind in arguments.args),
        tuple((name, _coarse(kind)) for name, kind in arguments.keywords),
        arguments.open_ended,
    )


def _coarse(kind: Kind) -> Kind:
    match kind:
        case kinds.Tensor():
            return kinds.Tensor(kind.dtype, None, kind.confidence, kind.parameter)
        case kinds.Sequence():
            return kinds.Sequence(kind.type, UNKNOWN)
        case kinds.Dictionary():
            return kinds.Dictionary(UNKNOWN)
        case kinds.Instance():
            return replace(kind, given=())
        case kinds.Function() | kinds.Partial() | kinds.Union():
            return UNKNOWN if kinds.tensor_part(kind) is None else kind
        case _:
            return kinds.widen(kind)
