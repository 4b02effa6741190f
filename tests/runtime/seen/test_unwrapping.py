"""What Dynamo runs through a function of its own is told as the user's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileStart, Event, GuardValue, LimitHit, Recompile
from compilelint.runtime.seen.reading import read
from compilelint.runtime.seen.unwrapping import unwrapped
from tests.runtime.make import CALL, MAIN, end, item, recompile, session

WRAPPER = StackFrame("/env/site-packages/torch/_dynamo/external_utils.py", 67, "wrap_inline.<locals>.inner")
DECORATOR = StackFrame("/env/site-packages/torch/utils/_contextlib.py", 120, "decorate_context")
INNER = replace(WRAPPER, function="inner")
OTHER = StackFrame(MAIN, 90, "other")
SECOND = replace(CALL, number=1, function="other", code=OTHER, parameters=("x", "scale"))
SEQUENTIAL = StackFrame("/env/site-packages/torch/nn/modules/container.py", 248, "Sequential.forward")
LIMIT = LimitHit(at=3.0, target=1, call=1, limit="recompile_limit", value=8, code=WRAPPER, reason="")
ANOTHER_FUNCTION = "___check_obj_id(fn.__closure__[1].cell_contents.__code__, 140660208595600), type=<class 'code'>"


def start(compile_id: str, target: int) -> CompileStart:
    return CompileStart(at=1.0, target=target, call=1, compile_id=compile_id, code=WRAPPER)


def decorated(compile_id: str, function: str) -> CompileStart:
    return CompileStart(
        at=1.0, target=0, call=1, compile_id=compile_id, code=OTHER, wraps=(f"func=lib.{function}", "log=lib.log")
    )


def told(*events: Event) -> tuple[Event, ...]:
    return unwrapped(session(SECOND, *events)).events[3:]


def test_what_happens_in_it_happens_in_the_compiled_function() -> None:
    events = (start("0/0", 1), item(code=WRAPPER, target=1), end("0/0", WRAPPER, target=1))
    assert [each.code for each in told(*events)] == [OTHER] * 3  # type: ignore[attr-defined]


def test_a_frame_of_the_user_s_stays_as_it_is() -> None:
    events = (item(), end("1/0"), recompile("L['args'][0] == 1"))
    assert told(*events) == events


def test_outside_of_all_calls_nobody_knows_whose_it_is() -> None:
    event = item(code=WRAPPER, target=None)
    assert told(event) == (event,)


@pytest.mark.parametrize(
    ("guard", "named"),
    [
        ("tensor 'args[0]' size mismatch at index 0. expected 2, actual 3", "tensor 'x' size mismatch"),
        ("L['args'][1] == 0", "scale == 0"),
        ("kwargs['first'] == 0", "first == 0"),
        ("args[2] == 0", "args[2] == 0"),
    ],
)
def test_arguments_have_the_names_that_the_function_gives_them(guard: str, named: str) -> None:
    (*_, event) = told(start("0/0", 1), recompile(guard, code=WRAPPER, target=1, versions=("0/0",)))
    assert isinstance(event, Recompile)
    assert event.guards[0].startswith(named)


def test_so_have_the_values() -> None:
    value = GuardValue(source="args[1]", expected="0", actual="1")
    (event,) = told(recompile("args[1] == 0", code=WRAPPER, target=1, values=(value,)))
    assert isinstance(event, Recompile)
    assert event.values == (replace(value, source="scale"),)


def test_versions_of_other_functions_are_no_reason() -> None:
    events = (
        start("0/0", 0),
        start("0/1", 1),
        recompile(ANOTHER_FUNCTION, code=WRAPPER, target=1, call=1, compile_id="0/1", versions=("0/0",)),
        start("0/2", 1),
        recompile(ANOTHER_FUNCTION, "args[1] == 0", code=WRAPPER, target=1, compile_id="0/2", versions=("0/0", "0/1")),
    )
    (again,) = (each for each in told(*events) if isinstance(each, Recompile))
    assert (again.guards, again.versions, again.code) == (("scale == 0",), ("0/1",), OTHER)


def test_the_way_there_begins_with_the_function() -> None:
    inside = (INNER, DECORATOR, StackFrame(MAIN, 93, "other"), StackFrame(MAIN, 12, "helper"))
    (event,) = told(recompile("args[1] == 0", code=WRAPPER, target=1, guard_stack=inside))
    assert isinstance(event, Recompile)
    assert event.guard_stack == inside[2:]


def test_a_limit_that_several_functions_share_says_so() -> None:
    limit = LimitHit(at=3.0, target=1, call=1, limit="recompile_limit", value=8, code=WRAPPER, reason=ANOTHER_FUNCTION)
    (found,) = read([session(SECOND, start("0/0", 0), limit)], lambda path: path == MAIN).observations
    assert (found.path, found.line, found.variable) == (MAIN, 90, "")
    assert "counts its versions and those of all other functions" in found.reason
    assert "with torch.no_grad():" in found.advice


def test_a_limit_to_which_mostly_others_came_is_shared_whatever_guard_was_the_last() -> None:
    layer = replace(SECOND, function="Sequential", code=SEQUENTIAL)
    starts = [start(f"0/{version}", target) for version, target in enumerate((0, 0, 1))]
    limit = replace(LIMIT, reason="len(fn._modules) != 6", compile_id="0/3")
    (found,) = read([session(layer, *starts, limit)], lambda path: path == MAIN).observations
    assert "counts its versions and those of all other functions" in found.reason
    assert "recompile_limit" in found.advice, "torch has no decorator on its own layers that could be taken off"
    own = [start(f"0/{version}", target) for version, target in enumerate((0, 1, 1))]
    (found,) = read([session(layer, *own, limit)], lambda path: path == MAIN).observations
    assert "number of modules" in found.reason


@pytest.mark.parametrize(("guard", "variable"), [("args[1] == 7", "scale"), ("fn.__self__.steps == 7", "self.steps")])
def test_a_limit_of_its_own_names_what_changed(guard: str, variable: str) -> None:
    limit = LimitHit(at=3.0, target=1, call=9, limit="recompile_limit", value=8, code=WRAPPER, reason=guard)
    (found,) = read([session(SECOND, limit)], lambda path: path == MAIN).observations
    assert found.variable == variable


def test_both_frames_of_a_function_that_breaks_are_one_cause() -> None:
    size = "tensor '{}' size mismatch at index 0. expected 2, actual 3"
    events = (
        recompile(size.format("args[0]"), code=WRAPPER, target=1),
        recompile(size.format("x"), code=OTHER, target=1, compile_id="1/1"),
    )
    (found,) = read([session(SECOND, *events)], lambda path: path == MAIN).observations
    assert (found.reason, found.line, found.hits) == ("argument `x` dimension 0 was 2, now 3", 90, 2)


def test_functions_under_one_decorator_that_came_to_a_limit_together_are_named() -> None:
    def told_of(*functions: str) -> Observation:
        starts = [decorated(f"0/{version}", function) for version, function in enumerate(functions)]
        last = "___check_obj_id(func.__code__, 1), type=<class 'code'>"
        limit = replace(LIMIT, code=OTHER, compile_id=f"0/{len(functions) - 1}", reason=last)
        (found,) = read([session(SECOND, *starts, limit)], lambda path: path == MAIN).observations
        return found

    shared = told_of("encode", "decode", "embed", "score")
    assert "under one decorator together, which share its wrapper's code: `encode`, `decode`, `embed` and 1 more" in (
        shared.reason
    )
    assert shared.variable == "func"
    assert "decorate(torch.compile(function))" in shared.advice
    alone = told_of("encode", "encode", "encode", "decode")
    assert "; last, " in alone.reason, "one of them came to it by itself"


def test_of_a_transform_nothing_inside_is_to_be_compiled() -> None:
    """Of eleven `torch.compile(vmap(f))` 8 are compiled, of `vmap(torch.compile(f))` none, of functions around: all."""
    wrapped = StackFrame("/env/torch/_functorch/apis.py", 244, "vmap.<locals>.wrapped")
    starts = [decorated(f"0/{version}", name) for version, name in enumerate(("force", "energy", "hessian"))]
    last = "___check_obj_id(func.__code__, 1), type=<class 'code'>"
    limit = replace(LIMIT, code=wrapped, compile_id="0/2", reason=last)
    (found,) = read([session(SECOND, *starts, limit)], lambda path: path == MAIN).observations
    assert "a function of your own that calls the transform" in found.advice
    assert "decorate(" not in found.advice


def test_functions_under_one_decorator_have_versions_of_their_own() -> None:
    """`encode` and `decode` share the code of their wrapper: the size that one has is no reason for the other."""
    channels = "tensor 'args[0]' size mismatch at index 1. expected 3, actual 4"
    length = "tensor 'args[0]' size mismatch at index 2. expected 8, actual 9"
    events = (
        decorated("0/0", "Vae.encode"),
        decorated("0/1", "Vae.decode"),
        recompile(channels, code=OTHER, compile_id="0/1", versions=("0/0",), closed_over=("func", "log")),
        decorated("0/2", "Vae.encode"),
        recompile(channels, length, code=OTHER, compile_id="0/2", versions=("0/1", "0/0")),
    )
    first, second = (each for each in told(*events) if isinstance(each, Recompile))
    assert second.wraps == ("func=lib.Vae.encode", "log=lib.log")
    assert (first.other_function, first.guards) == (("func", "Vae.encode", "Vae.decode"), (channels,))
    assert (second.other_function, second.guards) == (None, (length,))
    found = read([session(*events)], lambda path: path == MAIN).observations
    assert [(each.reason, each.change) for each in found if each.variable == "func"] == [
        ("it closes over another function now: `Vae.decode`, before `Vae.encode`", "")
    ]


def test_modules_of_the_same_class_name_are_told_apart() -> None:
    events = (decorated("0/0", "a.Net.forward"), decorated("0/1", "b.Net.forward"))
    again = recompile("x == 1", code=OTHER, compile_id="0/1", versions=("0/0",))
    (event,) = (each for each in told(*events, again) if isinstance(each, Recompile))
    assert event.other_function == ("func", "a.Net.forward", "b.Net.forward")


NETS = tuple(replace(CALL, number=at, function="Net", what="module", owner=owner) for at, owner in enumerate((0, 1, 0)))
STEP = StackFrame(MAIN, 10, "Net.forward")
OF_SIZE = "tensor 'x' size mismatch at index 1. expected 4, actual 8"


def of_nets(event: Recompile | LimitHit, *makers: int) -> Observation:
    """What is told of an event of a function whose versions these calls have made, of the calls of three modules."""
    starts = (
        CompileStart(at=1.0, target=maker, call=1, compile_id=f"0/{at}", code=STEP) for at, maker in enumerate(makers)
    )
    ended = session(*NETS[1:], *starts, event)
    ended = replace(ended, events=tuple(NETS[0] if each == CALL else each for each in ended.events))
    (told,) = read([ended], owned=lambda path: True).observations
    return told


@pytest.mark.parametrize(
    ("maker", "target", "guard", "reason"),
    [
        (0, 1, OF_SIZE, "another `Net` is compiled, and differs: argument `x` dimension 1 was 4, now 8"),
        (0, 1, "L['self'].size == 4", "another `Net` is compiled, and differs: `self.size` is a Python int"),
        (0, 0, OF_SIZE, "argument `x` dimension 1 was 4, now 8"),  # the same call
        (0, 2, OF_SIZE, "argument `x` dimension 1 was 4, now 8"),  # another call, of the same object
        (0, 1, "L['self'].training == True", "`self.training` was True"),
        (7, 1, OF_SIZE, "argument `x` dimension 1 was 4, now 8"),  # nobody knows of which object
    ],
)
def test_what_another_object_of_the_class_is_compiled_for(maker: int, target: int, guard: str, reason: str) -> None:
    event = recompile(guard, code=STEP, target=target, versions=("0/0",), compile_id="0/1")
    told = of_nets(event, maker)
    assert told.reason.startswith(reason)
    assert ("a graph of its own, once" in told.advice) == reason.startswith("another")


@pytest.mark.parametrize(("makers", "shared"), [((0, 1), True), ((0, 0, 0, 1), False), ((0, 2), False)])
def test_a_limit_to_which_several_objects_came_says_so(makers: tuple[int, ...], shared: bool) -> None:
    at = f"0/{len(makers)}"
    told = of_nets(replace(LIMIT, code=STEP, reason=OF_SIZE, compile_id=at), *makers)
    assert ("all objects of a class together, here of `Net`" in told.reason) == shared
