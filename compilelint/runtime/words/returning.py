"""What changed back to how it had been: a version was compiled for that, so it is not why none fitted.

Of each version that did not fit Dynamo tells the first guard that failed, the newest version's first. Where two things
change, one of them to and fro, all that the newest version says is that its side was the other one.

The versions that were called last come before others, whichever is newer. So one that fits a size, or a type, that
another caller passes is no reason either.

The modes (gradients, autocast) are looked at before all else, and which they were Dynamo does not tell: a version that
failed for something else was made for the present ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import Event, GuardValue, LimitHit, Recompile
from compilelint.runtime.words import guards
from compilelint.runtime.words.guard_names import class_of

_OTHER_SIDE = {"0": "1", "1": "0", "True": "False", "False": "True", "None": "there", "there": "None"}


@dataclass(frozen=True, slots=True)
class _Change:
    of: str
    old: str
    """What the version that did not fit was made for."""
    new: str


def by_what_is_new(events: Sequence[Event]) -> Iterator[Event]:
    """The events of a process, with the guards first in which something is not as it was for an earlier version."""
    known: defaultdict[tuple[StackFrame, str], set[str]] = defaultdict(set)
    newest: dict[tuple[StackFrame, str], str] = {}
    for event in events:
        if isinstance(event, Recompile):
            told = _by_what_is_new(event, known)
            if told is not event:
                newest[event.code, event.guards[0]] = told.guards[0]
            yield told
        elif isinstance(event, LimitHit) and event.code is not None:
            # The guard that it names is the first of the recompile that came to the limit.
            yield replace(event, reason=newest.get((event.code, event.reason), event.reason))
        else:
            yield event


def _by_what_is_new(event: Recompile, known: defaultdict[tuple[StackFrame, str], set[str]]) -> Recompile:
    failures = [guards.parse(text) for text in event.guards]
    values = event.values if len(event.values) == len(failures) else (None,) * len(failures)
    changes = [_change(failure, value) for failure, value in zip(failures, values, strict=True)]
    returned = [change is not None and change.new in known[event.code, change.of] for change in changes]
    # A version for another class is further from what is called than one for another size.
    order = sorted(
        range(len(failures)),
        key=lambda at: (failures[at].is_of_modes, returned[at], returned[at] and failures[at].cause == "type"),
    )
    for change in filter(None, changes):
        known[event.code, change.of] |= {change.old, change.new}
    if not order or order[0] == 0:
        return event
    return replace(
        event,
        guards=tuple(event.guards[each] for each in order),
        versions=tuple(event.versions[each] for each in order) if len(event.versions) == len(order) else (),
        values=tuple(event.values[each] for each in order) if len(event.values) == len(order) else (),
        guard_stack=(),  # that was the first guard's
    )


def _change(failure: guards.GuardFailure, value: GuardValue | None) -> _Change | None:
    """From what to what a guard's value changed; None where that is not known."""
    match failure.cause:
        case "requires-grad" if failure.old in _OTHER_SIDE:
            return _to_other_side(f"gradient {failure.subject}", failure.old)
        case "none":
            return _to_other_side(f"none {failure.subject}", "None")
        case "not-none":
            return _to_other_side(f"none {failure.subject}", "there")
        case "tensor-type" if "NoneType" in failure.new:
            return _to_other_side(f"none {failure.subject}", "there")
        case "value" if failure.old in ("True", "False"):
            return _to_other_side(f"value {failure.subject}", failure.old)
        case "size" | "rank" | "dtype" | "stride" if failure.old and failure.new:
            return _Change(f"{failure.cause} {failure.index} {failure.subject}", failure.old, failure.new)
        case "type" if value is not None and (now := class_of(value.actual or "")):
            return _Change(f"type {failure.subject}", failure.old.rpartition(".")[2], now)
        case "value" | "length" if value is not None and value.expected is not None and value.actual is not None:
            return _Change(f"{failure.cause} {failure.subject}", value.expected, value.actual)
    return None


def _to_other_side(of: str, old: str) -> _Change:
    return _Change(of, old, _OTHER_SIDE[old])
