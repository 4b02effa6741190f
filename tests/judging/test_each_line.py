from __future__ import annotations

import pytest

pytest.importorskip("torch")

from compilelint.judging.each_line import run_each_line, without
from compilelint.judging.messages import Break, Failure
from compilelint.judging.recorder import Run

SOURCE = "def f(x):\n    print(1)\n    print(\n        2\n    )\n    return x\n"
MARKED = frozenset({2, 3})


def failure(line: int) -> Run:
    return Run(failure=Failure("Unsupported", line, "print"))


def test_what_stands_behind_an_error_is_measured_without_what_raised_it() -> None:
    asked: list[str] = []

    def run(source: str) -> Run:
        asked.append(source)
        return failure(4)

    lines = run_each_line(SOURCE, MARKED, failure(2), run)
    assert lines.runs == (failure(2), failure(4))
    assert lines.unknown == frozenset()
    assert asked == [SOURCE.replace("print(1)", "pass")]


def test_a_run_that_ended_well_came_to_every_line() -> None:
    lines = run_each_line(SOURCE, MARKED, Run(breaks=(Break(2, "print", None, False),), graphs=2), _never)
    assert (len(lines.runs), lines.unknown) == (1, frozenset())


def test_what_fails_without_dynamo_is_left_out() -> None:
    missing = Run(broken="fails without Dynamo: AttributeError at line 2", broken_at=2)
    assert run_each_line(SOURCE, MARKED, missing, lambda source: failure(3)).runs == (missing, failure(3))


def test_what_needs_something_that_was_left_out_is_left_out() -> None:
    asked: list[str] = []

    def run(source: str) -> Run:
        asked.append(source)
        needs = Run(broken="fails without Dynamo: NameError at line 6", broken_at=6)
        return needs if len(asked) == 1 else failure(3)

    lines = run_each_line(SOURCE, MARKED, failure(2), run)
    assert (lines.runs[-1], lines.unknown) == (failure(3), frozenset())
    assert asked[1] == SOURCE.replace("print(1)", "pass").replace("return x", "return None")


def test_a_marked_line_that_needs_what_was_left_out_is_unknown() -> None:
    broken = Run(broken="fails without Dynamo: NameError at line 3", broken_at=3)
    lines = run_each_line(SOURCE, MARKED, failure(2), lambda source: broken)
    assert lines.unknown == {3}


def test_a_frame_that_is_given_up_hides_what_follows() -> None:
    dropped = Run(breaks=(Break(2, "print", None, True),))
    assert run_each_line(SOURCE, MARKED, dropped, lambda source: Run(graphs=1)).runs == (dropped, Run(graphs=1))


def _never(source: str) -> Run:
    raise AssertionError("nothing is left to measure")


def test_other_lines_stay_at_their_places() -> None:
    assert without(SOURCE, frozenset({3})) == "def f(x):\n    print(1)\n    pass\n\n\n    return x\n"


@pytest.mark.parametrize(("line", "why"), [(1, "a compound statement"), (4, "no statement")])
def test_what_cannot_be_left_out(line: int, why: str) -> None:
    assert without(SOURCE, frozenset({line})) is None


def test_what_returned_something_returns_nothing() -> None:
    assert without(SOURCE, frozenset({6})) == SOURCE.replace("return x", "return None")


def test_two_statements_on_a_line_are_not_taken_apart() -> None:
    assert without("a = 1; b = 2\n", frozenset({1})) is None
