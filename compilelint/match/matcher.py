"""Which matches of which rules an event meets, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from compilelint.catalog import Match, Requirement, Rule, holds
from compilelint.inspect import kinds
from compilelint.inspect.events import Event, Mode
from compilelint.inspect.kinds import NONE, UNKNOWN, Array, Kind, Tensor, options, tensor_part
from compilelint.inspect.labels import NOT_GUESSED, labels
from compilelint.match import detectors
from compilelint.report.confidence import Confidence

Detector: TypeAlias = Callable[[Event], bool | Confidence | None]
_Candidate: TypeAlias = tuple[Rule, Match, Detector | None]


_MAX_REMEMBERED = 20_000
"""Events of which it is remembered whether they concern anybody: the same happens in all models."""

_NO_DATA = frozenset({"out", "device", "dtype", "layout", "memory_format"})
"""Keywords that no number can be given to: what is to be written to, and where and how it is to be kept.

`device=device` in a function that does not declare it would be taken for a tensor that may be read back.
"""


class Hit(Struct, frozen=True):
    """A match of a rule met an event."""

    rule: Rule
    match: Match
    event: Event
    confidence: Confidence


class Matcher:
    """All rules at once, looked up by type of event and callee; built once, only its memory of answers grows.

    Raises DetectorError if a rule names a detector that does not exist.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        target: str,
        harmless_callees: frozenset[str] = frozenset(),
        reordered_callees: frozenset[str] = frozenset(),
    ) -> None:
        """`reordered_callees` are those among the harmless ones that are so with tensors, numbers and texts only."""
        self._target = target
        self._harmless, self._reordered = harmless_callees, reordered_callees
        self._exact: dict[tuple[str, str], list[tuple[Rule, Match]]] = {}
        self._prefixes: dict[str, list[tuple[str, Rule, Match]]] = {}
        self._any: dict[str, list[tuple[Rule, Match]]] = {}
        self._wanted: dict[tuple[str, str], bool] = {}
        self._holding: dict[tuple[str, str, str, Mode], tuple[_Candidate, ...]] = {}
        self._detectors: dict[str, Detector] = {}
        self._concerning: dict[Event, bool] = {}
        for rule in rules:
            for match in rule.matches:
                self._add(rule, match)
                if match.detector is not None:
                    self._detectors[match.detector] = detectors.find(match.detector, rule.code)

    def _add(self, rule: Rule, match: Match) -> None:
        if not match.callee:
            self._any.setdefault(match.event, []).append((rule, match))
        for callee in match.callee:
            if callee.endswith("*"):
                self._prefixes.setdefault(match.event, []).append((callee[:-1], rule, match))
            else:
                self._exact.setdefault((match.event, callee), []).append((rule, match))

    def wants(self, type_: str, callee: str) -> bool:
        """Whether any rule could match an event of this type and callee."""
        key = (type_, callee)
        wanted = self._wanted.get(key)
        if wanted is None:
            is_harmless = callee in self._harmless and callee not in self._reordered
            wanted = self._wanted[key] = not is_harmless and any(True for _ in self._candidates(type_, callee))
        return wanted

    def _candidates(self, type_: str, callee: str) -> Iterator[tuple[Rule, Match]]:
        yield from self._exact.get((type_, callee), ())
        for prefix, rule, match in self._prefixes.get(type_, ()):
            if callee.startswith(prefix) and callee not in match.not_callee:
                yield rule, match
        yield from self._any.get(type_, ())

    def hits(self, event: Event) -> Iterator[Hit]:
        """Every match that the event meets in the mode of its region, on the target torch."""
        for rule, match, detector in self._that_hold(event):
            confidence = _how_surely(match, detector, event)
            if confidence is not None:
                yield Hit(rule, match, event, confidence)

    def concerns(self, event: Event) -> bool:
        """Whether the event meets any match, wherever it happens and by whatever steps it is reached."""
        known = self._concerning.get(event)
        if known is None:
            if len(self._concerning) > _MAX_REMEMBERED:
                self._concerning.clear()
            known = self._concerning[event] = any(
                _how_surely(match, None if match.detector in detectors.ASKED_LAST else detector, event) is not None
                for _, match, detector in self._that_hold(event)
            )
        return known

    def splits(self, event: Event) -> bool:
        """Whether the event surely splits the graph, so that compilation goes on behind it with a new one."""
        return not (event.place.mode.fullgraph or event.place.aggravated_by) and self._breaks(event)

    def gives_up(self, event: Event) -> bool:
        """Whether the event surely makes Dynamo give up the whole frame."""
        return bool(event.place.aggravated_by) and not event.place.mode.fullgraph and self._breaks(event)

    def _breaks(self, event: Event) -> bool:
        for rule, match, detector in self._that_hold(event):
            if rule.effect == "graph-break":
                confidence = _how_surely(match, detector, event)
                if confidence is not None and confidence >= Confidence.MEDIUM:
                    return True
        return False

    def _that_hold(self, event: Event) -> tuple[_Candidate, ...]:
        """The matches that events of this sort may meet in this mode: left to ask is what their kinds say."""
        if self._harmless and not self._harmless.isdisjoint(event.place.reached_from):
            return ()  # in a function of the project's own that Dynamo does not look into
        if event.callee in self._reordered and not any(map(_cannot_wait, _given(event))):
            return ()
        key = (event.type, event.callee, event.construct, event.place.mode)
        found = self._holding.get(key)
        if found is None:
            found = self._holding[key] = tuple(
                (rule, match, self._detectors.get(match.detector) if match.detector is not None else None)
                for rule, match in self._candidates(event.type, event.callee)
                if (not match.construct or event.construct in match.construct)
                and holds(rule, match, event.place.mode, self._target, event.subject)
            )
        return found


def _given(event: Event) -> Iterator[Kind]:
    yield from event.args
    yield from (kind for _, kind in event.keywords)


def _cannot_wait(kind: Kind) -> bool:
    """Whether it surely is no argument with which Dynamo calls a function after the graph: tensors, numbers and texts
    are. A shape breaks the graph (GB0296), its text does not."""
    return all(
        isinstance(option, kinds.Sequence | kinds.Dictionary) or (isinstance(option, kinds.Instance) and option.module)
        for option in options(kind)
    )


def _how_surely(match: Match, detector: Detector | None, event: Event) -> Confidence | None:
    """How surely the event is what the match's table and its detector say; None if it is not."""
    said = detector(event) if detector is not None else True
    if said is None or said is False:
        return None
    met = meets(match, event)
    return min(met, said) if met is not None and isinstance(said, Confidence) else met


def meets(match: Match, event: Event) -> Confidence | None:
    """How surely the event is what the match's table describes; None if it is not."""
    if match.construct and event.construct not in match.construct:
        return None
    confidence = event.confidence
    if match.receiver:
        if event.receiver is None:
            return None
        found = _has_label(event.receiver, match.receiver)
        if found is None:
            return None
        confidence = min(confidence, found)
    for key, requirement in match.arguments:
        met = _requirement(event, key, requirement)
        if met is None:
            return None
        confidence = min(confidence, met)
    for key, requirement in match.not_arguments:
        if _requirement(event, key, requirement) not in (None, Confidence.LOW):
            return None
    return confidence


def _has_label(kind: Kind, wanted: frozenset[str]) -> Confidence | None:
    """How surely one of these words holds of a value: of one of several kinds that it may have, less surely."""
    if kind == UNKNOWN:
        if wanted <= NOT_GUESSED:
            return None
        return Confidence.HIGH if "unknown" in wanted else Confidence.LOW
    if not isinstance(kind, kinds.Union) and wanted.isdisjoint(labels(kind)):
        return None
    named = [option for option in options(kind) if not wanted.isdisjoint(labels(option))]
    if not named:
        return None
    others = [option for option in options(kind) if option not in named and option != NONE]
    if tensor_part(kind) is not None and all(isinstance(option, Array | kinds.Sequence) for option in named):
        # What is for tensors and arrays, or for tensors and lists of them, is given tensors in a region.
        return Confidence.LOW
    surest = max(option.confidence if isinstance(option, Tensor) else Confidence.HIGH for option in named)
    return min(surest, Confidence.MEDIUM) if others else surest


def _requirement(event: Event, key: str, requirement: Requirement) -> Confidence | None:
    given = list(_arguments(event, key))
    if requirement == "present":
        return Confidence.HIGH if given else None
    if requirement == "absent":
        # `size=None` is what functions of torch and numpy take for nothing.
        if any(kind != NONE for kind in given):
            return None
        return Confidence.LOW if event.starred else Confidence.HIGH
    outcomes = [outcome for kind in given if (outcome := _has_label(kind, requirement)) is not None]
    return max(outcomes, default=None)


def _arguments(event: Event, key: str) -> Iterator[Kind]:
    keywords: Mapping[str, Kind] = dict(event.keywords)
    for part in key.split("|"):
        if part == "any":
            yield from event.args
            yield from (kind for name, kind in keywords.items() if name not in _NO_DATA)
        elif part.isdigit():
            if int(part) < len(event.args):
                yield event.args[int(part)]
        elif part in keywords:
            yield keywords[part]
