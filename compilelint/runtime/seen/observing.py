"""What one event is to the user: an observation of one hit, and what folds it with others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from compilelint.report.model import Observation, ObservationType, Severity
from compilelint.report.stack import StackFrame, is_of_torch
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CudagraphSkip,
    Event,
    FrameSkipped,
    GraphBreak,
    LimitHit,
    Recompile,
    RepeatedBlock,
)
from compilelint.runtime.seen import parts
from compilelint.runtime.seen.unwrapping import is_wrapper
from compilelint.runtime.words import (
    error_words,
    guard_names,
    guard_words,
    guards,
    limits,
    reasons,
    skipped_files,
    torch_places,
)

_NAMELESS = frozenset({"condition", "state", "modes", "backend", "freed", "unexplained", "unreadable"})
"""Causes of recompiles that lie in no variable."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One event as an observation of one hit, with what folds it."""

    key: tuple[object, ...]
    observation: Observation
    guard: guards.GuardFailure | None = None
    at: float | None = None
    """Seconds since the session began; None for what took no moment."""
    cache: tuple[int, int] = (0, 0)
    """In which process, and after how many calls of `torch.compiler.reset()`, what was compiled is kept."""


def seen(event: Event, *, told: bool, dynamic: bool | None = None) -> Seen | None:
    """What an event is to the user; None for those that are no trouble.

    `told` is whether some event says how the compilation failed that this one is about, `dynamic` what the call of
    `torch.compile` was given under that name.
    """
    match event:
        case GraphBreak():
            return _break(event)
        case FrameSkipped():
            reason = reasons.explain(event.reason, None, None)
            return _whole_frame(
                "frame-skipped", event.code, event.stack, reason.words, event.reason, advice=reason.advice
            )
        case Recompile():
            return _recompile(event, dynamic)
        case LimitHit():
            return _limit(event, dynamic)
        case CompileError():
            return _error(event)
        case CudagraphSkip():
            return _cudagraph(event)
        case CompileEnd(ok=False, fail_type=str()) if not told and event.code:
            # Dynamo's metrics know that it gave up, and nothing else said why.
            text = event.fail_reason or event.fail_type or ""
            reason = reasons.explain(text.strip().partition("\n")[0], None, None)
            return _whole_frame("frame-skipped", event.code, (), reason.words, text, advice=reason.advice)
    return None


def _innermost(stack: Sequence[StackFrame]) -> StackFrame:
    return stack[-1] if stack else StackFrame("<unknown>", 1, "")


_observation = partial(Observation, gb_id=None, hits=1, compile_seconds=0.0, ranks=(), stack=(), finding=None)
"""What an event says of itself alone."""


def _break(event: GraphBreak) -> Seen:
    reason = reasons.explain(event.gb_type, event.explanation, event.context, event.hints)
    frames = _as_read(event)
    if is_of_torch(_innermost(frames)) and (left_out := skipped_files.own_file(event.context or "")) is not None:
        # A method is called through a function of torch's, where there is nothing to see.
        frames = (*frames, StackFrame(left_out[1], 1, left_out[0]))
    place = _innermost(frames)
    dropped = event.frame_dropped and not event.raised
    observation = _observation(
        # What raises is no break that Dynamo handles: the program has to.
        type="compile-error" if event.raised else "graph-break",
        reason=f"no graph break is allowed here: {reason.words}" if event.raised else reason.words,
        advice=torch_places.advice(place, event.gb_type) or reason.advice,
        gb_id=event.gb_id,
        path=place.path,
        line=place.line,
        function=_function(place, event.code),
        stack=frames,
        title=event.gb_type,
        context=event.context or event.explanation or "",
        severity="error" if event.raised else "warning",
        aggravated_by=reasons.drop_words(event.wrapped_by),
        frame=event.code,
        frame_dropped=dropped,
        dropped=(event.code,) if dropped and event.code else (),
        # What goes on after the jump is named by its line.
        calls=event.stack[-1:] if event.asked is not None else (),
    )
    # Two operators of one line may break for the same reason of Dynamo's: `x[mask]` and `x.unique()`.
    return Seen((observation.type, place.path, place.line, event.gb_type, reason.words), observation)


def _as_read(event: GraphBreak) -> tuple[StackFrame, ...]:
    """The stack with the line that a reader looks for: that of a condition, not that of its jump."""
    if not event.stack or event.asked is None:
        return _to_operator(event.stack) or ((event.code,) if event.code else ())
    return (*event.stack[:-1], replace(event.stack[-1], line=event.asked))


def _to_operator(stack: tuple[StackFrame, ...]) -> tuple[StackFrame, ...]:
    """The stack up to the operator that was refused, where a class of tensors only hands it on, by
    `super().__torch_function__(…)`: what is asked of a tensor there is not its doing."""
    if not stack or not is_of_torch(stack[-1]):
        return stack
    hands_on = (place for place, frame in enumerate(stack) if frame.function.rpartition(".")[2] == "__torch_function__")
    return stack[: next(hands_on, 0) or len(stack)]


def _function(place: StackFrame, code: StackFrame | None) -> str:
    """The qualified name where it is known: stacks have bare names, code objects do not."""
    if code and code.path == place.path and parts.bare(code.function) == place.function:
        return parts.origin(code.function)
    return place.function


def _whole_frame(
    type_: ObservationType,
    code: StackFrame,
    callers: tuple[StackFrame, ...],
    reason: str,
    title: str,
    *,
    severity: Severity = "warning",
    advice: str = "",
) -> Seen:
    function = parts.origin(code.function)
    observation = _observation(
        type=type_,
        reason=reason,
        path=code.path,
        line=code.line,
        function=function,
        stack=(*callers, StackFrame(code.path, code.line, function)),
        title=title,
        severity=severity,
        advice=advice,
        frame=code,
        frame_dropped=True,
        dropped=(code,),
    )
    return Seen((type_, code.path, code.line, function, reason), observation)


_NOTHING_SAID = guards.Blame(guards.GuardFailure("condition", "no compiled version fitted", ""), 0)


def _recompile(event: Recompile, dynamic: bool | None) -> Seen:
    code = event.code
    blame = guards.blamed(event.guards) or _NOTHING_SAID
    failure = blame.failure
    value = event.values[blame.position] if blame.position < len(event.values) else None
    if value is not None:
        failure = replace(failure, old=failure.old or value.expected or "", new=value.actual or failure.new)
    failure = _as_compiled(_at_frame(failure, code, event.closed_over), dynamic)
    failure = replace(failure, forbidden=event.forbidden)
    if event.other_function:
        variable, before, now = event.other_function
        failure = replace(failure, cause="function", subject=variable, index="", old=before, new=now, closed_over=True)
    if event.other_object and _tells_objects_apart(failure):
        failure = replace(failure, owner=event.other_object)
    function = parts.origin(code.function)
    own = StackFrame(code.path, code.line, function)
    inside = (event.guard_stack if blame.position == 0 else ()) or failure.stack
    if not inside:
        stack = event.stack or (own,)
    elif parts.is_of(inside[0], own):  # else the guard is for the sake of code that was called elsewhere
        stack = (*event.stack, *inside)
    else:
        stack = inside
    # What Dynamo runs through a function of its own (a method under `torch.no_grad()`) is to be looked at itself.
    within = (each for each in inside if is_wrapper(code) and not is_of_torch(each))
    place = next(within, own)
    observation = _observation(
        type="recompile",
        reason=guard_words.in_words([failure]),
        advice=guard_words.advice([failure]),
        path=place.path,
        line=place.line,
        function=place.function,
        stack=stack,
        title=failure.condition,
        context="\n".join(event.guards),
        frame=code,
        variable=_variable(failure),
        other_variables=() if event.other_function else _variables(blame.others),
    )
    # Functions under one decorator have nothing in common but its code.
    key = ("recompile", code.path, code.line, code.function, failure.topic, failure.owner, event.wraps)
    return Seen(key, observation, failure)


def _at_frame(failure: guards.GuardFailure, code: StackFrame, closed_over: Sequence[str]) -> guards.GuardFailure:
    resumed = parts.resumed_at(code.function) is not None
    # A part after a break closes over the function's own variables, too.
    return replace(
        failure, resumed=resumed, closed_over=not resumed and failure.subject.removesuffix(".__code__") in closed_over
    )


def _tells_objects_apart(failure: guards.GuardFailure) -> bool:
    """Whether this is a size, or what an object holds: what tells two of a class apart where their graphs differ."""
    if failure.cause == "value":
        return failure.subject.startswith("self.") and not failure.subject.endswith(".training")
    return failure.cause in ("size", "small-size", "rank")


def _variable(failure: guards.GuardFailure) -> str:
    """What a failure is about, if that has a name in the source."""
    if failure.cause in _NAMELESS or failure.is_handed_on:
        return ""
    return guard_names.spelled(guard_names.attribute_added(failure) or failure.subject)


def _variables(failures: Sequence[guards.GuardFailure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_variable, failures))))


def common_change(failures: Sequence[guards.GuardFailure]) -> str:
    """What recompiles of several functions may have in common; empty for what belongs to one."""
    first = failures[0]
    if first.owner:
        return ""
    if first.cause in ("state", "modes"):
        return f"{first.cause} {first.subject}"
    if first.cause == "value" and first.subject.endswith("training"):
        return "training"
    if first.cause in ("size", "small-size") or all(map(_may_be_a_size, failures)):
        sizes = dict.fromkeys(value for each in failures for value in (each.old, each.new) if value)
        return f"size {' '.join(sizes)}"
    return ""


def _may_be_a_size(failure: guards.GuardFailure) -> bool:
    """Whether this is an int that is passed on, as sizes are."""
    passed = failure.cause == "value" and not failure.subject.startswith("self.")
    return passed and all(value.isdigit() and int(value) > 1 for value in (failure.old, failure.new))


def _as_compiled(failure: guards.GuardFailure, dynamic: bool | None) -> guards.GuardFailure:
    return replace(failure, static=dynamic is False, varying=dynamic is True)


def _limit(event: LimitHit, dynamic: bool | None) -> Seen:
    code = event.code or _innermost(event.stack)
    failure = _as_compiled(_at_frame(guards.parse(event.reason), code, event.closed_over), dynamic)
    times = f" ({event.value})" if event.value is not None else ""
    fate = "it raised" if event.raised else "what fits none of its versions runs without torch.compile from here on"
    shared = limits.shared(event, code)
    last = guard_words.in_words([failure]) if event.reason.strip() else "no guard was named"
    words, advice = shared or (f"last, {last}", guard_words.advice([failure]))
    seen = _whole_frame(
        "recompile-limit",
        code,
        event.stack,
        f"recompiled too often{times}: {fate}; {words}",
        event.limit,
        severity="error",
        advice=advice,
    )
    return replace(
        seen,
        key=("recompile-limit", code.path, code.line, code.function, event.limit),
        observation=replace(
            seen.observation,
            context=failure.condition,
            variable="" if event.shared else limits.variable(event) or _variable(failure),
            frame_dropped=not event.raised,
            dropped=() if event.raised else seen.observation.dropped,
        ),
    )


def _error(event: CompileError) -> Seen:
    code = event.code or _innermost(event.stack)
    said = error_words.explain(event)
    seen = _whole_frame(
        "compile-error", code, event.stack, said.words, event.error, severity="error", advice=said.advice
    )
    observation = replace(
        seen.observation,
        context=event.message,
        frame=event.code,
        frame_dropped=event.suppressed,
        dropped=seen.observation.dropped if event.suppressed else (),
    )
    if any(parts.is_of(frame, code) for frame in event.stack):
        # The stack goes on from the function to what was being traced.
        place = event.stack[-1]
        observation = replace(
            observation, path=place.path, line=place.line, function=_function(place, event.code), stack=event.stack
        )
    return replace(seen, observation=observation)


_SKIPPING = re.compile(r"^(?:skipping cudagraphs due to )+")
_FOUND_FROM = re.compile(r"\.? Found from ?:\s*$")
_GRAPHLESS = {
    "cpu device": "Make every tensor of it on the GPU (`device=x.device`), or ask for no CUDA graphs.",
    "multiple devices": "Keep all of it on one GPU, or ask for no CUDA graphs.",
    "mutated inputs": "Return the new value instead of changing an argument in place, or ask for no CUDA graphs.",
}
"""What to do, by how torch's reason begins."""


def _cudagraph(event: CudagraphSkip) -> Seen:
    place = _innermost(event.stack)
    why = _FOUND_FROM.sub("", _SKIPPING.sub("", event.reason.strip()).partition("\n")[0])
    observation = _observation(
        type="cudagraph-skip",
        reason=f"torch leaves this graph out because of {why}",
        advice=next((advice for start, advice in _GRAPHLESS.items() if why.startswith(start)), ""),
        path=place.path,
        line=place.line,
        function=place.function,
        stack=event.stack,
        title=event.reason,
    )
    return Seen(("cudagraph-skip", place.path, place.line, event.reason), observation)


def repeated(call: CompileCall, blocks: RepeatedBlock) -> Seen:
    """That a module was compiled as a whole which holds equal blocks."""
    place = _innermost(call.stack)
    where = re.sub(r"\.(\d+)\b", r"[\1]", f"self.{blocks.path}") if blocks.path else "self"
    observation = _observation(
        type="repeated-blocks",
        reason=(
            f"`{call.function}` holds {blocks.count} equal `{blocks.name}`, and each is compiled anew into its graph"
        ),
        path=place.path,
        line=place.line,
        function=place.function,
        stack=call.stack,
        title=f"{blocks.count} {blocks.name} in {blocks.path or call.function}",
        severity="info",
        advice=(
            f"For a faster start compile the blocks, not the model (`for block in {where}: block.compile()` "
            f"in `{call.function}`): one compilation of `{blocks.name}` serves all {blocks.count}."
        ),
    )
    return Seen(("repeated-blocks", place.path, place.line, blocks.name, blocks.count), observation)


def call_place(call: CompileCall) -> str:
    """What names a call of torch.compile: `train.py:40 torch.compile(Net)`."""
    what = f"torch.compile({call.function})"
    if not call.stack:
        return what
    place = call.stack[-1]
    return f"{place.path}:{place.line} {what}"
