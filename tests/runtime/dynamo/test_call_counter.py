"""Counting without a frame."""

from __future__ import annotations

import gc
import sys
from types import FrameType

from compilelint.runtime.dynamo.call_counter import CallCounter, number_of


def test_calls_are_counted() -> None:
    counter = CallCounter()
    assert counter.calls == 0
    for _ in range(3):
        over = counter.count()
        over()
    assert counter.calls == 3
    assert CallCounter().calls == 0


def test_each_call_knows_its_number() -> None:
    counter = CallCounter()
    first, second = counter.count(), counter.count()
    assert (number_of(first), number_of(second)) == (1, 2)
    assert number_of(print) is None
    assert number_of(lambda: None) is None


def test_no_function_of_python_runs_in_a_call() -> None:
    counter, called = CallCounter(), []

    def profile(frame: FrameType, event: str, argument: object) -> None:
        called.append(event)

    gc.disable()  # a collection in between would call what others have registered for it
    sys.setprofile(profile)
    try:
        counter.count()()
    finally:
        sys.setprofile(None)
        gc.enable()
    assert "call" not in called
    assert counter.calls == 1
