"""Observations that have one cause, together: what a reader changes once.

Dynamo compiles a function in parts after each break, and each part is compiled again for the same
variable; a value that a break hands on to the next part makes that part compile again, too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compilelint.report.comprehensions import around_comprehension
from compilelint.report.model import SEVERITIES, Observation
from compilelint.report.order import cost
from compilelint.report.stack import StackFrame, is_of_torch

_FIRST = ("graph-break", "recompile-limit")
"""What the rest of a cause follows from, or matters less than."""
_ABOUT_VARIABLES = ("recompile-limit", "recompile")
_HANDED_ON = re.compile(r"___stack|__resume_")
"""How Dynamo calls a value that lies on the stack where a graph broke."""
_BY_DROPPED = re.compile(r"made outside of the compiled code|is not gone through yet where the graph breaks")
"""What is said of breaks at iterators and generators: Python hands these on where Dynamo dropped what made them."""
_OF_OPERATORS = re.compile(r"(?:site|dist)-packages/opt_einsum/")
"""What torch's own operators call (`torch.einsum` of three tensors): in a graph they are operators, so that Dynamo
comes to it only where it left the operator to Python."""
_LOOKED_UP = re.compile(r"qualname: Tensor\.\w+")
"""Dynamo traces such a method, but not where it was looked up before: in a part that goes on with a call, as the graph
broke among its arguments."""
_UNDER_TRANSFORM = "Unsupported functorch tracing attempt"
"""What Dynamo says of a function that is called inside a transform of `torch.func`: it compiles nothing there."""
_TRANSFORMS = "/torch/_functorch/"
NOT_HANDED_ON = "Reconstruction failure"
"""What Dynamo says of something in use where the graph breaks for another reason."""
_ITEM = re.compile(r"(?<=[\w\]])\[\d+\]")
"""One of what an attribute holds: a cause has it in common with the next one, as layers have."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What happened, and what else follows from it."""

    main: Observation
    others: tuple[Observation, ...] = ()
    after: Observation | None = None
    """What made Dynamo drop a function that calls this one, or leave the call to Python, so that this one is compiled
    on its own; or the break of the very call that this is about."""
    beside: tuple[Observation, ...] = ()
    """What else a code was recompiled for that came to its limit: the last reason is one of several."""

    @property
    def hits(self) -> int:
        return self.main.hits + sum(each.hits for each in self.others if each.type == self.main.type)

    @property
    def is_unforeseen(self) -> bool:
        """Whether no rule predicted it, or a part of it, in files that were checked, nor the break it follows from."""
        foreseen = any(each.finding for each in (*self.predictable, self.after) if each)
        return self.main.verdict == "runtime-only" and not foreseen

    @property
    def predictable(self) -> tuple[Observation, ...]:
        """What a finding may be about. A change that many share may be predicted for one of them alone."""
        return (self.main,) if self.main.change else (self.main, *self.others)

    @property
    def compile_seconds(self) -> float:
        if self.main.type == "repeated-blocks":  # of each, the seconds of the whole model
            return self.main.compile_seconds
        return self.main.compile_seconds + sum(each.compile_seconds for each in self.others)


def causes(observations: Iterable[Observation]) -> tuple[Cause, ...]:
    """The observations by cause, the most expensive cause first; each is in one cause.

    They are given in the order in which they were first seen: of several, the first is what to look at.
    """
    seen = tuple(observations)
    broken = _broken(seen)
    limited = {_of_variable(each) for each in seen if each.type == "recompile-limit"} - {None}
    changes: dict[str, tuple[object, ...]] = {}
    for each in seen:
        if each.change:
            changes.setdefault(_start(each), _handed_on(each, broken) or changes.get(each.change) or (each.change,))
            changes.setdefault(each.change, changes[_start(each)])
    transforms = _broken_transforms(seen)
    groups: dict[tuple[object, ...], list[Observation]] = {}
    for index, each in enumerate(seen):
        # What led to a limit belongs there, even if other functions recompiled for the same change.
        key = _of_variable(each) if _of_variable(each) in limited else _key(each, broken, changes)
        if is_under_transform(each):
            key = transforms.get(each.compiled_by)
        groups.setdefault(key or (index,), []).append(each)
    dropping = [each for each in seen if each.type == "graph-break" and each.dropped]
    found = tuple(_cause(group, dropping) for group in groups.values())
    drops = [each.main for each in found if each.main.type == "graph-break" and each.main.dropped]
    breaks = [each for each in found if each.main.type == "graph-break"]
    return _ordered(
        [replace(each, after=_led_to(each.main, drops, breaks), beside=_beside(each, seen)) for each in found]
    )


def _beside(cause: Cause, seen: Sequence[Observation]) -> tuple[Observation, ...]:
    code = (cause.main.path, cause.main.line, cause.main.function)
    others = (each for each in seen if each.type == "recompile" and (each.path, each.line, each.function) == code)
    return tuple(each for each in others if each not in cause.others) if cause.main.type == "recompile-limit" else ()


def _led_to(observation: Observation, drops: Sequence[Observation], breaks: Sequence[Cause]) -> Observation | None:
    """The break that something follows from."""
    return (
        _dropped_above(observation, _before(observation, drops))
        or _dropped_around(observation, breaks)
        or _broke_call(observation, _before(observation, [each.main for each in breaks]))
        or _left_to_python(observation, breaks)
    )


def _broke_call(observation: Observation, breaks: Sequence[Observation]) -> Observation | None:
    """The break among the arguments of a call that is gone on with, in what they call, too, or at which something
    cannot be handed on; or of the call that was left to Python, so that what it calls was compiled on its own, and
    failed to."""
    called = _call_of(observation)
    if called is None:
        return None
    is_of_arguments = _LOOKED_UP.search(observation.context) is not None
    for each in breaks:
        lines = {_line(each.owner)} if each.owner is not None else set()
        if called in (lines | set(map(_line, each.stack[each.inside :])) if is_of_arguments else lines):
            return each
    return None


def _left_to_python(observation: Observation, breaks: Sequence[Cause]) -> Observation | None:
    """The break that left a call to Python, so that what was compiled again, or not at all, is no part of its caller's
    graph."""
    types = (*_ABOUT_VARIABLES, "frame-skipped")
    if observation.type not in types or observation.function != _whole(observation.function):
        return None
    above = tuple(_above(observation))
    # A part that goes on after a line has that line's break in its words.
    if not above or above[-1].function in (observation.function, _bare(observation.function)):
        return None
    called = _line(above[-1])
    return next((each.main for each in breaks if called in _broken_calls(each)), None)


def _broken_calls(cause: Cause) -> Iterator[tuple[str, int]]:
    """Where breaks are, and the calls inside the compiled one that led there."""
    for each in (cause.main, *cause.others):
        if each.type == "graph-break":
            yield each.path, each.line
            yield from map(_line, each.calls or each.stack[each.inside :])


def _call_of(observation: Observation) -> tuple[str, int] | None:
    frame, inside = observation.frame, observation.stack[observation.inside :]
    if observation.type == "graph-break":
        follows = observation.title == NOT_HANDED_ON or _LOOKED_UP.search(observation.context)
        return (observation.path, observation.line) if follows else None
    if observation.type != "compile-error" or frame is None:
        return None
    callers = itertools.pairwise(inside)
    return next((_line(caller) for caller, called in callers if _is_in(called, frame)), None)


def _line(frame: StackFrame) -> tuple[str, int]:
    return frame.path, frame.line


def _is_in(frame: StackFrame, function: StackFrame) -> bool:
    """Whether a line is one of a function: of frames, the bare names are known."""
    names = (function.function, _bare(function.function))
    return frame.path == function.path and frame.line >= function.line and frame.function in names


def _before(observation: Observation, drops: Sequence[Observation]) -> Sequence[Observation]:
    """The breaks that an observation may follow from: of a break only those that were seen before it."""
    if observation.type != "graph-break" or observation not in drops:
        return drops
    return drops[: drops.index(observation)]


def has_dropped_above(dropping: Observation, observation: Observation) -> bool:
    """Whether something follows from a break because that dropped a function which calls it."""
    around = around_comprehension(observation)
    return around is not None or (bool(dropping.dropped) and _dropped_above(observation, (dropping,)) is not None)


def _dropped_around(observation: Observation, breaks: Sequence[Cause]) -> Observation | None:
    """The break that dropped the function around a comprehension, be it one of several that have a cause in common."""
    around = around_comprehension(observation)
    if around is None:
        return None
    found = ((cause.main, each) for cause in breaks for each in (cause.main, *cause.others))
    return next((main for main, each in found if around in map(_place, each.dropped)), None)


def _dropped_above(observation: Observation, drops: Sequence[Observation]) -> Observation | None:
    """The first of these breaks that dropped a function through which a recompile was come to, or a break that is one
    because of that."""
    if around_comprehension(observation) is not None:
        return None  # any break may have dropped what is around it, one of another's cause, too
    if observation.type == "graph-break":
        of_operator = observation.frame is not None and _OF_OPERATORS.search(observation.frame.path)
        if not of_operator and not _BY_DROPPED.search(observation.reason):
            return None
    elif observation.type not in (*_ABOUT_VARIABLES, "frame-skipped"):
        return None
    functions = ((each, frame) for each in drops for frame in each.dropped)
    return next((each for each, dropped in functions if _is_above(dropped, observation)), None)


def _place(frame: StackFrame) -> tuple[str, str]:
    return frame.path, _whole(frame.function)


def _is_above(dropped: StackFrame, observation: Observation) -> bool:
    """Whether a function called, further up, what was compiled again; some frames have bare names only.

    What calls the compiled call has nothing to do with it: nobody asked to compile that.
    """
    function = _whole(dropped.function)
    if (dropped.path, function) == (observation.path, _whole(observation.function)):
        return False
    # A part that goes on after a line does not call what that line called.
    first = dropped.line + (dropped.function != function)
    names = {function}
    if _bare(function) != _bare(_whole(observation.function)):
        names.add(_bare(function))
    return any(
        frame.path == dropped.path and frame.function in names and frame.line >= first for frame in _above(observation)
    )


def _above(observation: Observation) -> Iterator[StackFrame]:
    """The frames that lead to what was compiled again. Below its own are those of what it calls, in which a guard was
    made: they are a part of the same graph, though Dynamo may have dropped them where something else called them."""
    function = _whole(observation.function)
    own = (function, _bare(function))
    for frame in observation.stack[observation.inside :]:
        if frame.path == observation.path and frame.line >= observation.line and frame.function in own:
            return
        yield frame


def _whole(function: str) -> str:
    """The function that a part of it belongs to."""
    return function.partition(" (after line ")[0]


def _bare(function: str) -> str:
    return function.rpartition(".")[2]


def _ordered(found: Sequence[Cause]) -> tuple[Cause, ...]:
    """By cost; what drops a function comes before what follows from that, and costs as much."""
    worst: dict[int, tuple[object, ...]] = {}
    for each in found:
        if each.after is not None:
            worst[id(each.after)] = min(_cost(each), worst.get(id(each.after), _cost(each)))

    def key(cause: Cause) -> tuple[object, ...]:
        own = _cost(cause)
        follows = worst.get(id(cause.main), own)
        return (follows, 0, own) if follows < own else (own, 1, own)

    return tuple(sorted(found, key=key))


def _broken(observations: Sequence[Observation]) -> Mapping[tuple[str, int], tuple[object, ...]]:
    """The break at each line where one is, and at the lines of the calls that lead there.

    Where a break is in a function that is called, the calling function, too, goes on in a part of its own.
    """
    breaks = [each for each in reversed(observations) if each.type == "graph-break"]
    calls = {
        (frame.path, frame.line): _of_break(each)
        for each in breaks
        for frame in each.calls or each.stack[each.inside :]
    }
    return {**calls, **{(each.path, each.line): _of_break(each) for each in breaks}}


def is_under_transform(observation: Observation) -> bool:
    """Whether a function was left out because a transform calls it."""
    return observation.type == "frame-skipped" and observation.title == _UNDER_TRANSFORM


def _broken_transforms(observations: Sequence[Observation]) -> Mapping[str, tuple[object, ...]]:
    """By what was compiled the first break inside a transform there: it leaves the transform with all that it calls to
    Python."""
    found: dict[str, tuple[object, ...]] = {}
    for each in observations:
        inside = each.stack[each.inside :] if each.type == "graph-break" else ()
        if any(_TRANSFORMS in frame.path for frame in inside):
            found.setdefault(each.compiled_by, _of_break(each))
    return found


def _key(
    observation: Observation,
    broken: Mapping[tuple[str, int], tuple[object, ...]],
    changes: Mapping[str, tuple[object, ...]],
) -> tuple[object, ...] | None:
    """What observations of one cause share; None for one that stands alone."""
    if observation.type == "graph-break":
        return _of_break(observation)
    if observation.type == "repeated-blocks":
        return observation.type, observation.path, observation.line, observation.compiled_by
    if observation.type not in _ABOUT_VARIABLES:
        return None
    if observation.change:
        return changes[_start(observation)]  # that of where it came in
    return _handed_on(observation, broken) or _of_torch(observation) or _of_variable(observation)


def _start(observation: Observation) -> str:
    """What one function that met more sizes than another of the same compiled call has in common with it."""
    words = observation.change.split(" ")
    return " ".join([*words[:3], observation.compiled_by])


def _handed_on(
    observation: Observation, broken: Mapping[tuple[str, int], tuple[object, ...]]
) -> tuple[object, ...] | None:
    """The break that a recompile's value comes from: what has a name in the source, none gives."""
    is_handed_on = not observation.variable and _HANDED_ON.search(observation.title)
    return broken.get((observation.path, observation.line)) if is_handed_on else None


def _of_torch(observation: Observation) -> tuple[object, ...] | None:
    """What functions of torch's that call each other were compiled again for, where a line of the user's leads to all.

    They call it by names of their own: a second optimizer is `self` to its `step`, and `args[0]` to what is around it.
    """
    owner, place = observation.owner, StackFrame(observation.path, observation.line, observation.function)
    name = observation.variable
    if observation.type != "recompile" or owner is None or not name or not is_of_torch(place):
        return None
    root = re.match(r"\w+(?:\[\d+\])?", name)
    guard = observation.title.replace(root[0], "", 1) if root else observation.title
    return owner.path, owner.line, _ITEM.sub("[]", guard)


def _of_variable(observation: Observation) -> tuple[object, ...] | None:
    if observation.type not in _ABOUT_VARIABLES or not observation.variable:
        return None
    if "G['__import_" in (observation.title if observation.type == "recompile" else observation.context):
        return ("module", observation.variable)  # whoever reads it
    first, dot, attributes = observation.variable.partition(".")
    variable = f"{first}{dot}{_ITEM.sub('[]', attributes)}"
    if first == "self" and dot:
        # Any method of the class reads the same attribute.
        owner = observation.function.rpartition(".")[0] or observation.function
        return observation.path, owner, variable
    return observation.path, observation.function, variable


def _of_break(observation: Observation) -> tuple[object, ...]:
    """Breaks that one finding predicted are mended by one change, whatever Dynamo calls them, and wherever they are: an
    optimizer breaks in its own `step`, and where that is called; a solver of another package line after line."""
    if observation.finding:
        return "finding", observation.finding
    return observation.path, observation.line, observation.title


def _cause(group: Sequence[Observation], dropping: Sequence[Observation]) -> Cause:
    """What stands for all is what no break explains, if there is such a one: mending the break would leave it."""
    firsts = [each for each in group if each.type in _FIRST] or group
    follows = len(firsts) > 1 and firsts[0].type != "graph-break"

    def key(each: Observation) -> tuple[object, ...]:
        explained = follows and _dropped_above(each, dropping) is not None
        return SEVERITIES.index(each.severity), not each.dropped, _is_foreign(each), explained

    main = min(firsts, key=key)
    return Cause(main, tuple(each for each in group if each is not main))


def _is_foreign(observation: Observation) -> bool:
    """Not in a function of the user's own: DDP's wrapper sees a new size first, but the model is what has it."""
    return observation.owner is None or observation.owner.path != observation.path


def _cost(cause: Cause) -> tuple[object, ...]:
    everything = (cause.main, *cause.others)
    total = replace(
        cause.main,
        compile_seconds=cause.compile_seconds,
        hits=sum(each.hits for each in everything),
        frame_dropped=any(each.frame_dropped for each in everything),
        dropped=tuple(frame for each in everything for frame in each.dropped),
    )
    return cost(total, everything)
