"""What changed back to how it had been: a version was compiled for that, so it is not why none fitted.

Of each version that did not fit Dynamo tells the first guard that failed, the newest version's first. Where two things
change, one of them to and fro, all that the newest version says is that its side was the other one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compilelint.report.stack import StackFrame
from compilelint.runtime import guards
from compilelint.runtime.events import Event, LimitHit, Recompile

_OTHER_SIDE = {"0": "1", "1": "0", "True": "False", "False": "True", "None": "there", "there": "None"}


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
    returned: list[int] = []
    sides = [_side(guards.parse(text)) for text in event.guards]
    for position, side in enumerate(sides):
        if side is not None and _OTHER_SIDE[side[1]] in known[event.code, side[0]]:
            returned.append(position)
    for side in filter(None, sides):
        known[event.code, side[0]] |= {side[1], _OTHER_SIDE[side[1]]}
    order = [position for position in range(len(sides)) if position not in returned]
    if not returned or not order or order[0] == 0:
        return event
    order += returned
    return replace(
        event,
        guards=tuple(event.guards[each] for each in order),
        versions=tuple(event.versions[each] for each in order) if len(event.versions) == len(order) else (),
        values=tuple(event.values[each] for each in order) if len(event.values) == len(order) else (),
        guard_stack=(),  # that was the first guard's
    )


def _side(failure: guards.GuardFailure) -> tuple[str, str] | None:
    """What a guard is about that has two sides only, and the one that it was made for; None for all else."""
    match failure.cause:
        case "requires-grad" if failure.old in _OTHER_SIDE:
            return f"gradient {failure.subject}", failure.old
        case "none":
            return f"none {failure.subject}", "None"
        case "not-none":
            return f"none {failure.subject}", "there"
        case "tensor-type" if "NoneType" in failure.new:
            return f"none {failure.subject}", "there"
        case "value" if failure.old in ("True", "False"):
            return f"value {failure.subject}", failure.old
    return None
