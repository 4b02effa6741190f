"""What Dynamo runs through a function of its own, told as the function that the user compiled.

What has a frame of torch's outermost (a function under `torch.no_grad()`, a layer of torch.nn) Dynamo compiles as
`wrap_inline.<locals>.inner(*args, **kwargs)`. All of these share one code object, and with it the versions that count
for the limit (measured on torch 2.13: of eleven functions under `torch.no_grad()` three are not compiled).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CompileStart,
    Event,
    FrameSkipped,
    GraphBreak,
    GuardValue,
    LimitHit,
    Recompile,
)
from compilelint.runtime.seen import parts
from compilelint.runtime.session import Session
from compilelint.runtime.words import guards

_WRAPPER = ("torch/_dynamo/external_utils.py", ("wrap_inline.<locals>.inner", "inner"))
_PASSED = re.compile(r"\bL\['(args|kwargs)'\]\[(\d+|'\w+')\]|\b(args|kwargs)\[(\d+|'\w+')\]")
_CALLED = re.compile(r"fn(\.__self__)?(\.__closure__\[\d+\]\.cell_contents)?(\.__code__)?")
"""What the wrapper calls, in its guards: a function, what a decorator was put around, the object of a method."""
_Coded = TypeVar(
    "_Coded",
    bound=CompileStart | CompileEnd | CompileError | FrameSkipped | GraphBreak | LimitHit | Recompile,
)


def unwrapped(session: Session) -> Session:
    """A session in which such events are of the function that was compiled, and its arguments have their names.

    Versions of other functions are no reason to compile this one: its first version is no recompile.
    """
    return replace(session, events=tuple(_events(session.events)))


def _events(events: Sequence[Event]) -> Iterator[Event]:
    calls = {event.number: event for event in events if isinstance(event, CompileCall)}
    owners: dict[str, int | None] = {}
    wraps: dict[str, tuple[str, ...]] = {}
    for event in events:
        call = calls.get(event.target) if event.target is not None else None
        if isinstance(event, CompileStart):
            owners[event.compile_id] = event.target
            wraps[event.compile_id] = event.wraps
        match event:
            case Recompile(code=code) if call is not None and is_wrapper(code):
                own = _of_own_versions(event, owners)
                if own.guards:
                    yield _as_called(_coded(own, call), call)
            case Recompile(compile_id=compile_id) if wraps.get(compile_id or ""):
                yield replace(_of_same_function(event, wraps), wraps=wraps[compile_id or ""])
            case LimitHit(code=code) if call is not None and is_wrapper(code):
                shared = _is_other_function(event.reason) or _are_mostly_of_others(event, owners)
                yield replace(_coded(event, call), reason=_named(event.reason, call), shared=shared)
            case LimitHit(compile_id=compile_id) if wraps.get(compile_id or ""):
                yield replace(event, wrapped=_wrapped_together(compile_id or "", wraps))
            case (
                CompileStart(code=code)
                | CompileEnd(code=code)
                | CompileError(code=code)
                | FrameSkipped(code=code)
                | GraphBreak(code=code)
            ) if call is not None and is_wrapper(code):
                yield _coded(event, call)
            case Recompile(versions=versions) if call is not None and _are_of_others(versions, call, owners, calls):
                yield replace(event, other_object=_class_of(call))
            case LimitHit(compile_id=compile_id) if call is not None and _are_of_many(compile_id, owners, calls):
                yield replace(event, other_object=_class_of(call))
            case _:
                yield event


def is_wrapper(code: StackFrame | None) -> bool:
    """Whether this is the function of Dynamo's that calls what it is given."""
    path, names = _WRAPPER
    return code is not None and code.path.endswith(path) and code.function in names


def _is_other_function(guard: str) -> bool:
    """Whether a guard of the wrapper is about what it calls: a version was made for another function."""
    return _CALLED.fullmatch(guards.parse(guard).subject) is not None


def _are_mostly_of_others(event: LimitHit, owners: Mapping[str, int | None]) -> bool:
    """Whether most versions that came to the limit were made for other functions than the one that is left out."""
    frame = (event.compile_id or "").partition("/")[0]
    versions = [target for version, target in owners.items() if frame and version.partition("/")[0] == frame]
    return 2 * sum(target != event.target for target in versions) > len(versions)


def _are_of_others(
    versions: Sequence[str], call: CompileCall, targets: Mapping[str, int | None], calls: Mapping[int, CompileCall]
) -> bool:
    """Whether all versions of a function were made for other objects than the one that is called: which of their guards
    failed says how that differs from them."""
    owners = [_owner(version, targets, calls) for version in versions]
    return bool(owners) and call.owner is not None and not {None, call.owner} & {*owners}


def _are_of_many(compile_id: str | None, targets: Mapping[str, int | None], calls: Mapping[int, CompileCall]) -> bool:
    """Whether most versions that came to a limit were made for one object each."""
    frame = (compile_id or "").partition("/")[0]
    owners = [_owner(each, targets, calls) for each in targets if frame and each.partition("/")[0] == frame]
    return None not in owners and len({*owners}) > max(1, len(owners) // 2)


def _owner(version: str, targets: Mapping[str, int | None], calls: Mapping[int, CompileCall]) -> int | None:
    target = targets.get(version)
    call = calls.get(target) if target is not None else None
    return call.owner if call is not None else None


def _class_of(call: CompileCall) -> str:
    """What the objects are, of a module, or of a method."""
    return call.function if call.what == "module" else call.function.rpartition(".")[0] or call.function


def _coded(event: _Coded, call: CompileCall) -> _Coded:
    return event if call.code is None else replace(event, code=call.code)


def _of_own_versions(event: Recompile, owners: Mapping[str, int | None]) -> Recompile:
    """Without the versions that were made for other functions."""
    if len(event.versions) != len(event.guards):
        return event
    return _only(
        event, [at for at, version in enumerate(event.versions) if owners.get(version, event.target) == event.target]
    )


def _of_same_function(event: Recompile, wraps: Mapping[str, tuple[str, ...]]) -> Recompile:
    """Without the versions that were made for other functions under the same decorator, which share the wrapper's code.

    Where all were, that is why it is compiled: which of their guards failed first says nothing.
    """
    present = wraps[event.compile_id or ""]
    if len(event.versions) != len(event.guards) or not event.guards:
        return event
    own = [at for at, version in enumerate(event.versions) if wraps.get(version, present) == present]
    if own:
        return _only(event, own)
    before = dict(each.split("=", 1) for each in wraps[event.versions[0]])
    changed = ((*each.split("=", 1),) for each in present if each not in wraps[event.versions[0]])
    variable, now = next(changed, ("", ""))
    if variable not in before:
        return event
    return replace(event, other_function=(variable, *_told_apart(before[variable], now)))


def _wrapped_together(compile_id: str, wraps: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The functions under one decorator, if most versions that came to a limit were made for one each."""
    frame = compile_id.partition("/")[0]
    versions = [found for version, found in wraps.items() if version.partition("/")[0] == frame]
    distinct = dict.fromkeys(versions)
    if 2 * len(distinct) <= len(versions) or len(distinct) == 1:
        return ()
    # What all have in common is no function of theirs: a logger that the decorator was given.
    common = frozenset.intersection(*map(frozenset, distinct))
    return tuple(dict.fromkeys(each for found in distinct for each in found if each not in common))


def _told_apart(before: str, now: str) -> tuple[str, str]:
    """Two functions by as little of their names as differs: `Net.forward` rather than `models.net.Net.forward`."""
    old, new = before.split("."), now.split(".")
    for parts_shown in (2, 3):
        if old[-parts_shown:] != new[-parts_shown:]:
            return ".".join(old[-parts_shown:]), ".".join(new[-parts_shown:])
    return before, now


def _only(event: Recompile, own: Sequence[int]) -> Recompile:
    """With some of the versions."""
    return replace(
        event,
        guards=tuple(event.guards[at] for at in own),
        versions=tuple(event.versions[at] for at in own),
        values=tuple(event.values[at] for at in own if at < len(event.values)),
        guard_stack=event.guard_stack if 0 in own else (),
    )


def _named(guard: str, call: CompileCall) -> str:
    """With arguments as the function calls them."""

    def name(found: re.Match[str]) -> str:
        key = (found[2] or found[4]).strip("'")
        if not key.isdigit():
            return key
        return call.parameters[int(key)] if int(key) < len(call.parameters) else found[0]

    return _PASSED.sub(name, guard)


def _as_called(event: Recompile, call: CompileCall) -> Recompile:
    """With the function's own names, and the way there from where it begins."""

    def value_named(value: GuardValue | None) -> GuardValue | None:
        return None if value is None else replace(value, source=_named(value.source, call))

    begins = (
        at for at, frame in enumerate(event.guard_stack) if call.code is not None and parts.is_of(frame, call.code)
    )
    return replace(
        event,
        guards=tuple(_named(text, call) for text in event.guards),
        values=tuple(map(value_named, event.values)),
        guard_stack=event.guard_stack[next(begins, 0) :],
    )
