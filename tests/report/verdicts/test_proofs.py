from __future__ import annotations

from tests.report.make import finding, observation
from tests.report.verdicts.ask import COUNTER, verdicts


def test_a_break_on_the_line_confirms() -> None:
    assert verdicts([finding()], [observation()]) == (["confirmed"], ["0123456789abcdef"])


def test_a_graph_break_is_no_recompile() -> None:
    assert verdicts([COUNTER], [observation(line=20)]) == (["refuted"], [None])


def test_a_function_that_was_given_up_confirms_that_it_is_not_compiled() -> None:
    given_up = observation(type="frame-skipped", line=12, gb_id=None)
    assert verdicts([finding(effect="not-compiled")], [given_up])[0] == ["confirmed"]


def test_a_break_that_raised_confirms_too() -> None:
    raised = observation(type="compile-error", severity="error")
    assert verdicts([finding()], [raised])[0] == ["confirmed"]
