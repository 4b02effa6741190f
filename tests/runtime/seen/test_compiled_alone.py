"""Recurrent layers that are given to `torch.compile` by themselves, and what Dynamo leaves out for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileCall, Event, Footer
from compilelint.runtime.seen.reading import read
from tests.runtime.make import CALL, FORWARD, MAIN, end, item, session

SITE = "/env/lib/python3.11/site-packages/torch"
INNER = StackFrame(f"{SITE}/_dynamo/external_utils.py", 67, "wrap_inline.<locals>.inner")
LSTM_FORWARD = StackFrame(f"{SITE}/nn/modules/rnn.py", 1081, "LSTM.forward")
LINEAR_FORWARD = StackFrame(f"{SITE}/nn/modules/linear.py", 130, "Linear.forward")
LSTM = replace(CALL, number=1, function="LSTM", what="module", code=LSTM_FORWARD, stack=(StackFrame(MAIN, 41, "main"),))
LINEAR = replace(LSTM, number=2, function="Linear", code=LINEAR_FORWARD, stack=(StackFrame(MAIN, 42, "main"),))
REFUSED = replace(
    item("1/0", target=1),
    gb_type="Attempted to wrap RNN, GRU, or LSTM",
    gb_id="GB0014",
    code=INNER,
    stack=(StackFrame(MAIN, 50, "main"), replace(INNER, line=69)),
    frame_dropped=True,
)


def seen(*events: Event, calls: tuple[int, ...] = (3, 3, 3)) -> dict[tuple[str, int], Observation]:
    told = read([session(*events, footer=Footer(ended=9.0, exit_code=0, calls=calls))], lambda path: True)
    return {(each.path, each.line): each for each in told.observations}


def test_what_is_to_change_is_the_call_that_compiles_it() -> None:
    observation = seen(end(), LSTM, REFUSED)[MAIN, 41]
    assert observation.type == "graph-break"
    assert "all that is compiled here" in observation.reason
    assert "Take this `torch.compile` out" in observation.advice
    assert observation.title == "Attempted to wrap RNN, GRU, or LSTM"


def test_a_layer_in_code_of_the_user_is_where_it_is_called() -> None:
    broken = replace(REFUSED, code=FORWARD, stack=(*REFUSED.stack[:1], FORWARD))
    own = replace(LSTM, function="Net", code=FORWARD)
    assert (FORWARD.path, FORWARD.line) in seen(end(), own, broken)


def test_layers_that_are_called_later_are_told_to_be_left_out_for_it() -> None:
    observation = seen(end(), LSTM, LINEAR, REFUSED)[MAIN, 42]
    assert observation.type == "frame-skipped"
    assert "dropped for another of them" in observation.reason


@pytest.mark.parametrize(
    ("why", "other", "at"),
    [
        ("a function", replace(LINEAR, what="function"), (LINEAR_FORWARD.path, 130)),
        ("a module of the user's", replace(LINEAR, code=FORWARD), (FORWARD.path, FORWARD.line)),
    ],
)
def test_what_else_is_not_compiled_has_another_reason(why: str, other: CompileCall, at: tuple[str, int]) -> None:
    assert "dispatch mode" in seen(end(), LSTM, other, REFUSED)[at].reason, why


def test_without_such_a_layer_it_is_something_else() -> None:
    observation = seen(end(), replace(LINEAR, number=1), calls=(3, 3))[LINEAR_FORWARD.path, 130]
    assert "dispatch mode" in observation.reason
