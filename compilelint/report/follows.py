"""What a cause did beside its main part, and what it follows from, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from compilelint.report.causes import NOT_HANDED_ON, Cause, has_dropped_above, is_under_transform
from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame, is_of_torch_or_python
from compilelint.report.terminal.cells import printable
from compilelint.report.words import counted

_REASONS = 2
_STOPS = ("graph-break", "compile-error")
"""What happens at a line, and may do so in torch, where there is nothing to change."""


def told_at(observation: Observation) -> StackFrame:
    """Where a reader looks for what was seen: for a break or an error inside torch or Python, where there is nothing to
    change, the line that led there."""
    place = leading(observation)
    here = StackFrame(observation.path, observation.line, observation.function)
    return place if place is not None and observation.leading_line else here


def leading(observation: Observation) -> StackFrame | None:
    """The line that led into torch or Python, if what stopped is in there: the user's own, else that of the package
    which they compile; what calls compiled code only if there is nothing between."""
    place = StackFrame(observation.path, observation.line, observation.function)
    if observation.type not in _STOPS or observation.severity == "info" or not is_of_torch_or_python(place):
        return None
    inside, owner = observation.stack[observation.inside :], observation.owner
    if owner is not None and any((each.path, each.line) == (owner.path, owner.line) for each in inside):
        return owner
    return next((frame for frame in reversed(inside) if not is_of_torch_or_python(frame)), owner)


def after_break(above: Observation, main: Observation) -> str:
    """What a cause follows from: `above` made Dynamo drop the caller, or leave the call to Python."""
    place = told_at(above)
    match main.type:
        case "compile-error":
            led = "leaves this call to Python, so that what it calls is compiled on its own"
        case "graph-break" if main.title == NOT_HANDED_ON:
            led = "has Dynamo hand on what is in use there"
        case "recompile" | "recompile-limit" if not has_dropped_above(above, main):
            led = "leaves the call of this function to Python, so that it is compiled on its own"
        case "frame-skipped" if not has_dropped_above(above, main):
            led = "leaves the call of this function to Python, so that Dynamo comes to it on its own"
        case "graph-break" if not has_dropped_above(above, main):
            led = "is among the arguments of this call, whose method is looked up by then"
        case _:
            led = "dropped a function that calls this one, which is compiled on its own since"
    return f"the break at {short_path(place.path)}:{place.line} {led}: mend that first"


def what_else(cause: Cause) -> Iterator[str]:
    """What else the same cause did: it need not be changed a second time."""
    if cause.main.type == "repeated-blocks":
        for each in cause.others:
            yield f"the same holds for {each.title}"
    yield from _other_ways(cause)
    yield from _under_transform(cause)
    recompiles = [each for each in cause.others if each.type in ("recompile", "recompile-limit")]
    yield from _older_versions(cause.main, recompiles)
    yield from _more_often(cause)
    if not recompiles:
        return
    if cause.main.type == "graph-break":
        times = counted(sum(each.hits for each in recompiles), "recompile")
        yield f"{times} of what follows, because the value that it hands on changes"
        return
    # One change of size or of mode is told once; of one variable, several things may have changed.
    by_gist: dict[str, list[Observation]] = {}
    for each in recompiles:
        gist = _gist(each.reason)
        known = gist == _gist(cause.main.reason) or each.reason in cause.main.reason
        told = "" if cause.main.change or known else gist
        by_gist.setdefault(told, []).append(each)
    most = sorted(by_gist.items(), key=lambda item: -sum(each.hits for each in item[1]))
    for gist, alike in most[:_REASONS]:
        yield _alike(alike) + (f": {alike[0].reason}" if gist else "")
    if rest := [each for _, alike in most[_REASONS:] for each in alike]:
        yield f"{_alike(rest)}, for other changes of it"


def _other_ways(cause: Cause) -> Iterator[str]:
    """The other lines that led to the same place in torch or Python: there, too, something is to be changed."""
    shown = told_at(cause.main)
    led = (leading(each) for each in cause.others if each.type == cause.main.type)
    lines = dict.fromkeys(f"{short_path(each.path)}:{each.line}" for each in led if each is not None)
    others = [line for line in lines if line != f"{short_path(shown.path)}:{shown.line}"]
    if others:
        more = f" and {len(others) - _REASONS} more" if len(others) > _REASONS else ""
        yield f"the same at {', '.join(others[:_REASONS])}{more}"


def _under_transform(cause: Cause) -> Iterator[str]:
    """What a break inside a transform leaves out with it."""
    functions = {(each.path, each.line) for each in cause.others if is_under_transform(each)}
    if functions and cause.main.type == "graph-break":
        left_out = counted(len(functions), "function")
        yield f"the transform around it runs uncompiled, and {left_out} in it: Dynamo compiles nothing inside one"


def _older_versions(main: Observation, recompiles: Sequence[Observation]) -> Iterator[str]:
    """What changed besides: without that, other code would have fitted, that was compiled before."""
    if main.type == "graph-break":
        return
    names = dict.fromkeys(name for each in (main, *recompiles) for name in each.other_variables)
    told = [f"`{name}`" for name in names if name not in {each.variable for each in (main, *recompiles)}]
    if told:
        more = f" and {len(told) - _REASONS} more" if len(told) > _REASONS else ""
        yield f"{', '.join(told[:_REASONS])}{more}, for which older versions did not fit"


def _more_often(cause: Cause) -> Iterator[str]:
    """What counts more for a limit than the reason that came last."""
    other = max(cause.beside, key=lambda each: each.hits, default=None)
    if other is not None and other.hits > max(each.hits for each in (cause.main, *cause.others)):
        yield f"{counted(other.hits, 'recompile')} of the same function, a cause that counts more here: {other.reason}"


def _gist(reason: str) -> str:
    """A reason without the values that it lists."""
    return re.split(r" (?:was|is now|keeps changing|that changes|that keeps changing)\b|: ", reason)[0]


def _alike(recompiles: Sequence[Observation]) -> str:
    """How many there were, and where."""
    lines: dict[str, list[int]] = {}
    for each in recompiles:
        lines.setdefault(each.path, []).append(each.line)
    places = "; ".join(
        # What Python makes at run time, as the methods of a dataclass, has no file.
        "code made at run time"
        if path.startswith("<")
        else f"{short_path(path)}:{', '.join(map(str, sorted(set(found))))}"
        for path, found in lines.items()
    )
    times = counted(sum(each.hits for each in recompiles), "recompile")
    return f"{times} {'in' if places.startswith('code ') else 'at'} {places}"


def short_path(path: str) -> str:
    """Of an installed package, the path from there on: it says enough."""
    return printable(re.split(r"/(?:site|dist)-packages/|/lib/(?=python3\.\d+/)", path)[-1])
