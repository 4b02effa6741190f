"""What the stance `fail_on_recompile` forbids is told when it is raised, whoever catches it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import forbidden
from compilelint.runtime.dynamo.forbidden import FORBIDDEN, Forbidden
from compilelint.runtime.events import CompileError, Event, GuardValue, Recompile

PLACE = "filename: '/a/b.py', function name: 'f', line number: 3"
AGAIN = (
    f"{FORBIDDEN}. {PLACE}\n"
    "    triggered by the following guard failure(s):\n    - 0/0: n == 1\n    - User stack trace:\n"
    '    -   File "/a/b.py", line 5, in f\n    -     return x * len([0] * n)'
)


def _refused(message: str, told: list[Event]) -> Forbidden:
    """Of a call of `f(n=2)` that the stance forbids."""
    watching = Forbidden(told.append)

    def fail_callback(frame: Any) -> None:
        raise RuntimeError(message)

    fail_callback._torchdynamo_orig_backend = "eager"  # type: ignore[attr-defined]
    chosen = watching.callbacks(lambda callback: fail_callback)(None)
    assert chosen._torchdynamo_orig_backend == "eager"

    def f(n: int) -> None:
        chosen(sys._getframe())

    with pytest.raises(RuntimeError) as raised:
        f(2)
    assert str(raised.value) == message
    return watching


def test_what_would_have_been_a_recompile_is_told_with_the_values() -> None:
    told: list[Event] = []
    watching = _refused(AGAIN, told)
    recompile, failed = told
    assert isinstance(recompile, Recompile)
    assert (recompile.guards, recompile.versions, recompile.forbidden) == (("n == 1",), ("0/0",), True)
    assert recompile.values == (GuardValue(source="n", expected="1", actual="2"),)
    assert recompile.guard_stack == (StackFrame("/a/b.py", 5, "f"),)
    assert isinstance(failed, CompileError)
    assert failed.code == recompile.code
    assert watching.told == {AGAIN}


def test_a_first_compilation_is_forbidden_too() -> None:
    told: list[Event] = []
    _refused(f"{FORBIDDEN}. {PLACE}", told)
    assert [type(event) for event in told] == [CompileError]


def test_another_error_is_not_told() -> None:
    told: list[Event] = []
    assert _refused("out of memory", told).told == set()
    assert not told


@pytest.mark.parametrize("chosen", [None, False, print])
def test_another_stance_is_left_as_it_is(chosen: object) -> None:
    choose: Callable[[object], object] = lambda callback: chosen  # noqa: E731
    assert Forbidden([].append).callbacks(choose)(None) is chosen


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"TORCHDYNAMO_DISABLE": "1"}, "TORCHDYNAMO_DISABLE=1"),
        ({"TORCH_COMPILE_DISABLE": "1"}, "TORCH_COMPILE_DISABLE=1"),
        ({"TORCH_COMPILE_DISABLE": "0", "TORCHDYNAMO_DISABLE": ""}, None),
        ({}, None),
    ],
)
def test_a_variable_may_turn_compiling_off(environment: dict[str, str], told: str | None) -> None:
    assert forbidden.switched_off_by(environment) == told


def test_of_a_message_alone_the_place_is_read() -> None:
    stack = (StackFrame("/a/main.py", 9, "main"),)
    recompile, failed = forbidden.of_message(AGAIN, stack)
    assert recompile.code == failed.code == StackFrame("/a/b.py", 3, "f")
    assert recompile.stack == failed.stack == stack
    assert isinstance(recompile, Recompile)
    assert recompile.values == ()
