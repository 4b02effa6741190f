from __future__ import annotations

from itertools import permutations

from compilelint.report.model import Problem
from compilelint.report.order import ordered_errors, ordered_findings, ordered_observations
from tests.report.make import finding, observation


def test_findings_are_ordered_by_file_then_place_then_code_whatever_their_arrival() -> None:
    expected = (
        finding(path="a.py", line=30),
        finding(path="b.py", line=2, column=9),
        finding(path="b.py", line=10, column=1),
        finding(path="b.py", line=10, column=5, code="CL101"),
        finding(path="b.py", line=10, column=5, code="CL202"),
        finding(path="c.ipynb", cell=2, line=9),
        finding(path="c.ipynb", cell=10, line=1),
    )
    assert all(ordered_findings(order) == expected for order in permutations(expected))


def test_findings_alike_in_place_and_code_still_have_one_order() -> None:
    twins = [finding(reached_from=("a",)), finding(reached_from=("b",)), finding(message="zz")]
    assert len({ordered_findings(order) for order in permutations(twins)}) == 1


def test_errors_of_a_whole_file_come_before_those_of_its_lines() -> None:
    expected = (Problem("a.py", "unreadable"), Problem("a.py", "syntax", 3), Problem("b.py", "syntax", 1))
    assert all(ordered_errors(order) == expected for order in permutations(expected))


def test_what_was_compiled_again_once_comes_after_what_costs_at_each_call() -> None:
    expected = (
        observation(type="recompile", hits=5, compile_seconds=3.0),
        observation(hits=1, compile_seconds=0.5),
        observation(type="recompile", hits=1, compile_seconds=20.0),
        observation(type="recompile", hits=2, ranks=(0, 1), compile_seconds=2.0),
    )
    assert all(ordered_observations(order) == expected for order in permutations(expected))
