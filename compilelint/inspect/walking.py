"""How a called function comes to be walked: once for each way of being called, or not at all if that is known."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from compilelint.inspect import covering, kinds, results
from compilelint.inspect.arguments import options_taken, parameters
from compilelint.inspect.arguments.declared_classes import as_declared
from compilelint.inspect.arguments.parameters import Arguments
from compilelint.inspect.frame import Frame, Route
from compilelint.inspect.hashed import Hashed
from compilelint.inspect.kinds import UNKNOWN, Kind
from compilelint.inspect.retelling import ITS_PLACE, Recording, Walk, may_be_told, tell
from compilelint.inspect.syntax import inference, strictness

if TYPE_CHECKING:
    from compilelint.inspect.inspector import Inspector

MAX_STACK = 40
"""How deep calls nest in what is walked: each takes some twenty frames of the thousand that Python has on its stack."""


def run(inspector: Inspector, function: kinds.Function, arguments: Arguments, route: Route) -> Kind:
    """Inspect a function that is called with these arguments, unless that was done before."""
    function = _as_called(inspector, function)
    arguments = _to_walk_with(inspector, function, arguments)
    if inspector.silent and not inspector.seeks_effects:
        return _run_silently(inspector, function, arguments)
    arguments, way, is_told_apart = inspector.ways.take(function, arguments, route.mode, route.ceiling)
    if not is_told_apart:
        inspector.depends_on_place()
    closure = tuple(function.closure.items()) if function.closure else ()
    key = Hashed(
        (
            bool(inspector.silent),
            function.key,
            function.receiver,
            closure,
            arguments,
            route.mode,
            route.ceiling,
            route.body,
            route.enters_body,
            route.border,
            route.home,
            route.once,
            route.single,
        )
    )
    around = inspector.recordings[-1] if inspector.recordings and not inspector.silent else None
    known = inspector.results.get(key)
    if known is not None or route.depth > MAX_STACK:
        inspector.breaks += inspector.broke.get(key, 0)
        if around is not None:
            around.take(inspector.events)
            walk = inspector.told.get(key)
            if known is None:
                inspector.depends_on_place()
            elif walk is None:
                around.called_again(route.steps[-1], way, inspector.begun[key])
            else:
                around.called_walk(route.steps[-1], way, walk)
            if walk is not None:
                # The unit has noted it before; what is recorded now is told to others, who have not.
                inspector.knowledge.note(walk.sources, walk.compiled)
        return UNKNOWN if known is None else known
    if inspector.silent:
        return _walk(inspector, key, function, arguments, route, None)
    if not _is_worth_telling(inspector, function, route):
        inspector.depends_on_place()
        return _walk(inspector, key, function, arguments, route, None)
    if around is not None:
        around.take(inspector.events)
    walk = inspector.knowledge.walks.get(key)
    if walk is not None and may_be_told(inspector, walk, route.depth, MAX_STACK):
        tell(inspector, walk, route.steps)
        inspector.knowledge.note(walk.sources, walk.compiled)
    else:
        walk = _recorded(inspector, key, function, arguments, route)
    if around is not None:
        around.told = len(inspector.events)
        if walk is not None:
            around.called_walk(route.steps[-1], way, walk)
    return inspector.results[key]


def _as_called(inspector: Inspector, function: kinds.Function) -> kinds.Function:
    """A method without what it is bound to, which is its first argument: `self.step(x)` is `Net.step(self, x)`."""
    if function.receiver is None:
        return function
    info = inspector.tree.function(function.key)
    if info is None or info.owner is None or parameters.first_parameter(info.node) is None:
        return function
    return replace(function, receiver=None)


def _to_walk_with(inspector: Inspector, function: kinds.Function, arguments: Arguments) -> Arguments:
    """The arguments in which walks of the function may differ: configurations as it declares them, and without those
    of which nothing is known and that end up in `**kwargs`, of which no more is known: layers pass on to each other
    what each of them adds to, and would be walked for each.
    """
    info = inspector.tree.function(function.key)
    if info is None:
        return arguments
    arguments = as_declared(inspector, info, arguments)
    if arguments.closed:
        use = inspector.derived(("rest", function.key), lambda: options_taken.use_of_rest(info.node))
        if use == options_taken.ASKED:
            return arguments
        arguments = arguments._replace(closed=use == options_taken.PASSED_ON)
    if all(kind != UNKNOWN for _, kind in arguments.keywords):
        return arguments
    return parameters.without_unknown_rest(info.node, arguments)


def _is_worth_telling(inspector: Inspector, function: kinds.Function, route: Route) -> bool:
    """Whether others may want to be told of a walk: few enter the functions of the file itself."""
    return (
        bool(route.depth)
        and not route.home
        and not route.border
        and function.key[0] != inspector.file
        and not inspector.tree.is_followed(function.key[0])
    )


def _recorded(
    inspector: Inspector, key: Hashable, function: kinds.Function, arguments: Arguments, route: Route
) -> Walk | None:
    """Walk a function, and keep what that showed for others.

    None if it depends on where it stands; if it depends on what its caller met, too, only that one may tell of it.
    """
    recording = Recording(len(route.steps), len(inspector.events), inspector.breaks, len(inspector.begun))
    inspector.recordings.append(recording)
    outer = inspector.knowledge.begin_part()
    try:
        result = _walk(inspector, key, function, arguments, route, recording)
    finally:
        inspector.recordings.pop()
        sources, compiled = inspector.knowledge.end_part(outer)
    if inspector.recordings:
        inspector.recordings[-1].depends_on(recording.earliest)
    if recording.earliest == ITS_PLACE:
        return None
    recording.take(inspector.events)
    walk = recording.walk(key, result, inspector.breaks, sources, compiled)
    if walk.is_whole:
        inspector.told[key] = inspector.knowledge.walks[key] = walk
    return walk


def _walk(
    inspector: Inspector,
    key: Hashable,
    function: kinds.Function,
    arguments: Arguments,
    route: Route,
    recording: Recording | None,
) -> Kind:
    inspector.begin(key, UNKNOWN)
    frame = _frame(inspector, function, arguments, route, recording)
    if frame is not None:
        if not inspector.silent:
            inspector.entered.add(function.key)
            method = covering.usual_method(frame, function.key)
            if method is not None:
                inspector.usual.add(method)
            if recording is not None:
                recording.entered = function.key
                recording.method = method
            if route.depth and _tells(arguments, frame.receiver):
                inspector.called.add((function.key[0], frame.qualname))
                if recording is not None:
                    recording.called = (function.key[0], frame.qualname)
        given = dict(frame.env) if covering.may_cover(inspector, function, arguments, route) else None
        breaks = inspector.breaks
        inspector.results[key] = results.run(frame)
        inspector.broke[key] = inspector.breaks - breaks
        if given is not None:
            covering.note(frame, given)
    return inspector.results[key]


def _tells(arguments: Arguments, receiver: Kind | None) -> bool:
    """Whether a call shows what the function is called with: of `model(**batch)` nobody knows what it passes."""
    passed = arguments.args[1:] if receiver is not None else arguments.args
    return UNKNOWN not in passed and (bool(passed or arguments.keywords) or not arguments.open_ended)


def _run_silently(inspector: Inspector, function: kinds.Function, arguments: Arguments) -> Kind:
    """What a function gives: nothing that happens in it is told.

    How deep calls may still nest is a part of what is asked: functions that call each other in circles would otherwise
    be walked anew for each of them that is asked for first.
    """
    left = inspector.calls_left
    if not left:
        return UNKNOWN
    closure = tuple(function.closure.items()) if function.closure else ()
    question = Hashed(("call", function.key, function.receiver, closure, arguments, left))

    def answer() -> Kind:
        inspector.calls_left = left - 1
        frame = _frame(inspector, function, arguments, Route(), None)
        return results.run(frame) if frame is not None else UNKNOWN

    meanwhile: Kind = UNKNOWN
    return inspector.known(question, meanwhile, answer, about=function.key)


def _frame(
    inspector: Inspector, function: kinds.Function, arguments: Arguments, route: Route, recording: Recording | None
) -> Frame | None:
    info, module = inspector.tree.function(function.key), inspector.tree.module(function.key[0])
    if info is None or module is None:
        return None
    if info.decorators and inference.is_decorated(inspector, module, info):
        route = inference.inside(route)
    if info.decorators:
        route = strictness.as_decorated(inspector, module, info, route)
    frame = Frame(inspector, module, info, route, closure=function.closure or {}, assumed=arguments.items)
    outer = inspector.module_frame(module)
    outer.closure = frame.closure

    def default(node: ast.expr) -> Kind:
        return inspector.evaluate_silently(outer, node)

    frame.env = parameters.bind(
        info.node,
        arguments,
        lambda node: inspector.annotated(outer, node),
        default,
        lambda: inspector.usage(info),
        route.ceiling,
    )
    if not inspector.silent and route.depth:
        rests = parameters.rests_on_annotation(info.node, arguments, lambda node: inspector.annotated(outer, node))
        frame.rests_on_annotation = rests is True
        if rests is False:
            inspector.misdeclared.add((module.name, info.qualname))
            if recording is not None:
                recording.misdeclared = (module.name, info.qualname)
    frame.owner = info.owner
    first = parameters.first_parameter(info.node)
    frame.receiver = frame.env.get(first) if first and info.owner else function.receiver
    return frame
