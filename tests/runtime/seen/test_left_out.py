"""Functions whose first call had nothing to compile, and those that were called and never compiled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileEnd, Event, Footer, FrameSkipped
from compilelint.runtime.seen.left_out import NEVER_ASKED, NOTHING_TRACED, with_left_out
from compilelint.runtime.seen.reading import read
from tests.runtime.make import CALL, FORWARD, STEP, end, item, session

EMPTY = end(ops=0, guards=None)
CALLED_THRICE = Footer(ended=9.0, exit_code=0, calls=(3,))


def left_out(*events: Event, footer: Footer = CALLED_THRICE, reason: str = NOTHING_TRACED) -> list[FrameSkipped]:
    told = with_left_out(session(*events, footer=footer)).events
    return [event for event in told if isinstance(event, FrameSkipped) and event.reason == reason]


def test_an_empty_graph_of_what_is_compiled_leaves_it_out() -> None:
    (event,) = left_out(EMPTY)
    assert (event.code, event.target, event.stack) == (STEP, 0, CALL.stack)


def test_what_it_calls_later_is_compiled_by_itself() -> None:
    later = (replace(EMPTY, code=FORWARD, ops=2, guards=3), item(target=0, code=FORWARD))
    assert [event.code for event in left_out(EMPTY, *later)] == [STEP]


def test_the_report_says_why_and_what_to_do() -> None:
    (observation,) = read([session(EMPTY, footer=CALLED_THRICE)], lambda path: True).observations
    assert (observation.type, observation.path, observation.line) == ("frame-skipped", STEP.path, STEP.line)
    assert "first call" in observation.reason
    assert observation.advice


@pytest.mark.parametrize(
    ("why", "events", "footer"),
    [
        ("called once", (EMPTY,), Footer(ended=9.0, exit_code=0, calls=(1,))),
        ("nobody knows how often it was called", (EMPTY,), Footer(ended=9.0, exit_code=0)),
        ("its graph has operations", (replace(EMPTY, ops=2),), CALLED_THRICE),
        ("it is kept, with guards", (replace(EMPTY, guards=3),), CALLED_THRICE),
        ("it failed", (replace(EMPTY, ok=False),), CALLED_THRICE),
        ("it broke", (item(target=0), EMPTY), CALLED_THRICE),
        ("it is compiled later", (EMPTY, replace(EMPTY, ops=2, guards=3)), CALLED_THRICE),
        ("another function", (replace(EMPTY, code=FORWARD),), CALLED_THRICE),
        ("never compiled", (), CALLED_THRICE),
    ],
)
def test_nothing_is_left_out(why: str, events: tuple[CompileEnd, ...], footer: Footer) -> None:
    assert left_out(*events, footer=footer) == [], why


SECOND = replace(CALL, number=1, function="Net", code=FORWARD)
BOTH_CALLED = Footer(ended=9.0, exit_code=0, calls=(3, 2))
THREE_CALLED = Footer(ended=9.0, exit_code=0, calls=(0, 2, 2))
WRAPPED = end("1/0", StackFrame("/torch/_functorch/apis.py", 244, "vmap.<locals>.wrapped"), target=1)


def test_what_is_called_and_never_compiled_was_left_out_where_others_are_compiled() -> None:
    (event,) = left_out(SECOND, end(), footer=BOTH_CALLED, reason=NEVER_ASKED)
    assert (event.code, event.target) == (FORWARD, 1)


@pytest.mark.parametrize(
    ("why", "events", "footer"),
    [
        ("never called", (SECOND, end()), Footer(ended=9.0, exit_code=0, calls=(3, 0))),
        ("nobody knows how often it was called", (SECOND, end()), Footer(ended=9.0, exit_code=0, calls=(3,))),
        ("nothing is compiled at all", (SECOND,), BOTH_CALLED),
        ("called once", (SECOND, end()), Footer(ended=9.0, exit_code=0, calls=(3, 1))),
        ("recorded in the middle of a process", (SECOND, end()), Footer(ended=9.0, calls=(3, 2))),
        ("it is compiled", (SECOND, end(), end("1/0", FORWARD, target=1)), BOTH_CALLED),
        ("another call compiled it", (SECOND, end(), end("1/0", FORWARD)), BOTH_CALLED),
        ("it broke", (SECOND, end(), item(target=1, code=FORWARD)), BOTH_CALLED),
        ("another call was given it, as torch.vmap(f)", (SECOND, replace(SECOND, number=2), WRAPPED), THREE_CALLED),
        ("its code is not known", (replace(SECOND, code=None), end()), BOTH_CALLED),
    ],
)
def test_what_is_tried_or_not_called_was_not_left_out(why: str, events: tuple[Event, ...], footer: Footer) -> None:
    assert left_out(*events, footer=footer, reason=NEVER_ASKED) == [], why
