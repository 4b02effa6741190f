"""Walks of functions that many regions enter, told again instead of walked again.

Inside one unit a function is walked once for each way of being called. What such a walk shows is the same in the next
unit, as long as it does not depend on where the walk stood: then its events are told as seen from there. It depends on
that where it meets the limit of ways of being called that are told apart, a call into a followed package, or a
function that began to be walked before it, and cannot be told itself.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from compilelint.inspect.events import Event
from compilelint.inspect.kinds import Kind, ProjectClass
from compilelint.inspect.ways import MAX_WAYS, Way
from compilelint.source.model import Key

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

Function: TypeAlias = tuple[str, str]
"""File and name."""


ITS_PLACE = -1
"""On what a walk depends that nobody may tell of elsewhere; it is less than any number of walks."""


class Walk(Struct, frozen=True):
    """What a walk of a function showed; `key` is that of its result."""

    key: Hashable
    result: Kind
    shown: tuple[Event | Call, ...]
    """Its events, with the steps from the function on, and its calls, in order."""
    breaks: int
    """How often it splits the graph itself."""
    all_breaks: int
    """The same with all that it calls."""
    height: int
    """How many calls are nested in it at most."""
    entered: Key | None
    method: tuple[Key, ProjectClass] | None
    """The same of a method on a usual path, with its object's class."""
    called: Function | None
    misdeclared: Function | None
    sources: int
    compiled: tuple[Hashable, ...]
    is_whole: bool
    """Whether it is the same without what calls it."""


class Call(Struct, frozen=True):
    """A call in a walk."""

    step: str
    """The caller, as the steps name it."""
    way: Way
    walk: Walk | None
    """None where the caller, or what calls it, has met the same before: then it shows nothing."""


@dataclass(slots=True)
class Recording:
    """A walk that goes on."""

    steps: int
    """How many steps lead to it."""
    told: int
    """How many of the inspector's events are among what is shown, or came before."""
    breaks: int
    """How often the graph was split before."""
    began: int
    """How many walks had begun before."""
    shown: list[Event | Call] = field(default_factory=list)
    breaks_of_calls: int = 0
    height: int = 0
    entered: Key | None = None
    method: tuple[Key, ProjectClass] | None = None
    called: Function | None = None
    misdeclared: Function | None = None
    earliest: int = sys.maxsize
    """The first walk on which it depends, by how many had begun before; or `ITS_PLACE`, which is before all."""

    def depends_on(self, begun: int) -> None:
        """It depends on a walk, by how many had begun before that, or on `ITS_PLACE`."""
        self.earliest = min(self.earliest, begun)

    def take(self, events: list[Event]) -> None:
        """Take over what was reported since."""
        if self.earliest == ITS_PLACE:
            return
        for event in events[self.told :]:
            steps = event.place.reached_from[self.steps :]
            self.shown.append(replace(event, place=replace(event.place, reached_from=steps)))
        self.told = len(events)

    def called_again(self, step: str, way: Way, begun: int) -> None:
        """Take over a call of what began when so many had begun before, and does not show the same a second time."""
        self.depends_on(begun)
        self.shown.append(Call(step, way, None))

    def called_walk(self, step: str, way: Way, walk: Walk) -> None:
        """Take over a call that was walked, or told, just now."""
        self.shown.append(Call(step, way, walk))
        self.breaks_of_calls += walk.all_breaks
        self.height = max(self.height, walk.height + 1)

    def walk(self, key: Hashable, result: Kind, breaks: int, sources: int, compiled: tuple[Hashable, ...]) -> Walk:
        """What it came to; `breaks` is how often the graph was split until now."""
        return Walk(
            key,
            result,
            tuple(self.shown),
            breaks - self.breaks - self.breaks_of_calls,
            breaks - self.breaks,
            self.height,
            self.entered,
            self.method,
            self.called,
            self.misdeclared,
            sources,
            compiled,
            self.earliest >= self.began,
        )


def may_be_told(inspector: Inspector, walk: Walk, depth: int, deepest: int) -> bool:
    """Whether a walk from here, at this depth, would show the same."""
    if depth + walk.height > deepest:
        return False
    ways: dict[Hashable, set[Hashable]] = {}
    seen: set[int] = set()
    pending = [walk]
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        for call in current.shown:
            if not isinstance(call, Call):
                continue
            if not inspector.ways.has(call.way):
                ways.setdefault(call.way.together, set()).add(call.way.each)
            if call.walk is None:
                continue
            if call.walk.key not in inspector.results:
                pending.append(call.walk)
            elif inspector.told.get(call.walk.key) is None:
                return False
    return all(inspector.ways.count(together) + len(each) <= MAX_WAYS for together, each in ways.items())


def tell(inspector: Inspector, walk: Walk, steps: tuple[str, ...]) -> None:
    """Report what a walk showed as seen from here; what was reported before is not reported again."""
    inspector.begin(walk.key, walk.result)
    inspector.broke[walk.key] = walk.all_breaks
    if walk.is_whole:
        inspector.told[walk.key] = walk
    inspector.breaks += walk.breaks
    if walk.entered is not None:
        inspector.entered.add(walk.entered)
    if walk.method is not None:
        inspector.usual.add(walk.method)
    if walk.called is not None:
        inspector.called.add(walk.called)
    if walk.misdeclared is not None:
        inspector.misdeclared.add(walk.misdeclared)
    for each in walk.shown:
        if isinstance(each, Call):
            inspector.ways.add(each.way)
            if each.walk is None:
                continue
            if each.walk.key in inspector.results:
                inspector.breaks += each.walk.all_breaks
            else:
                tell(inspector, each.walk, (*steps, each.step))
        else:
            place = replace(each.place, reached_from=(*steps, *each.place.reached_from))
            inspector.events.append(replace(each, place=place))
