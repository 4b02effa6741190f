"""The judge's verdict on marks, over runs that are made up: no Dynamo is needed to disagree."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from compilelint.catalog import Example, ModeName, Outcome
from compilelint.judging.each_line import Lines
from compilelint.judging.judge import disagreements
from compilelint.judging.judge import outcome as outcome_of_lines
from compilelint.judging.messages import Break, Failure
from compilelint.judging.recorder import Run
from compilelint.report.model import Effect

SOURCE = "def f(x):\n    print(\n        x\n    )\n    y = x + 1\n    print(y)\n    return y\n"
BREAK = Break(2, "Failed to trace builtin operator", "GB0059", drops_frame=False)
ERROR = Failure("Unsupported", 2, "Failed to trace builtin operator", "GB0059")


def hazard(*marks: tuple[int, ModeName | None]) -> Example:
    return Example("e", True, SOURCE, 1, tuple((line, "CL201", mode) for line, mode in marks))


def clean(*marks: tuple[int, ModeName | None]) -> Example:
    return Example("e", False, SOURCE, 1, tuple((line, "CL201", mode) for line, mode in marks))


def outcome(run: Run, example: Example, effect: Effect) -> Outcome:
    return outcome_of_lines(Lines((run,)), example, effect)


def problems(
    run: Run,
    example: Example,
    effect: Effect = "graph-break",
    mode: ModeName = "default",
    elsewhere: frozenset[int] = frozenset(),
) -> str:
    return "; ".join(disagreements(run, outcome(run, example, effect), example, effect, mode, elsewhere))


def test_a_break_on_another_line_of_the_marked_statement_agrees() -> None:
    run = Run(breaks=(Break(3, "r", None, False),), graphs=1)
    assert problems(run, hazard((2, None))) == ""


def test_a_marked_line_that_does_not_break_is_named() -> None:
    assert problems(Run(breaks=(BREAK,), graphs=1), hazard((2, None), (6, None))) == ("marked, but no break at line 6")


def test_a_break_without_a_mark_is_named() -> None:
    run = Run(breaks=(BREAK, Break(6, "r", None, False)), graphs=1)
    assert "Dynamo breaks at line 6, where no mark is" in problems(run, hazard((2, None)))


def test_a_hazard_that_is_none_is_named() -> None:
    assert problems(Run(graphs=1), hazard((2, None))) == "marked, but graph-break was not seen"


def test_a_failure_is_no_graph_break() -> None:
    assert "fails instead of breaking" in problems(Run(failure=ERROR), hazard((2, None)))
    assert problems(Run(failure=ERROR), hazard((2, None)), "compile-error") == ""


def test_a_mark_of_another_mode_says_nothing_about_the_default() -> None:
    example = hazard((2, "fullgraph"))
    assert problems(Run(graphs=1), example) == ""
    assert problems(Run(failure=ERROR), example, mode="fullgraph") == ""
    assert "was not seen" in problems(Run(graphs=1), example, mode="fullgraph")


def test_under_fullgraph_the_first_error_may_be_at_any_mark() -> None:
    example = hazard((2, None), (6, "fullgraph"))
    assert problems(Run(failure=ERROR), example, mode="fullgraph") == ""


def test_a_clean_example_must_be_clean_by_default_and_under_fullgraph() -> None:
    assert "clean, but Dynamo says: Failed to trace" in problems(Run(breaks=(BREAK,), graphs=1), clean())
    assert "clean, but Dynamo says: Unsupported" in problems(Run(failure=ERROR), clean(), mode="fullgraph")
    assert "clean" in problems(Run(recompiles=("len(x) == 1",), graphs=2), clean())
    assert problems(Run(graphs=1), clean()) == ""


def test_a_clean_example_that_never_compiles_proves_nothing() -> None:
    assert "nothing was compiled" in problems(Run(graphs=0), clean())


def test_a_clean_example_may_fail_in_a_mode_for_which_it_is_marked() -> None:
    example = clean((2, "fullgraph"))
    assert problems(Run(failure=ERROR), example, mode="fullgraph") == ""
    assert "was not seen" in problems(Run(graphs=1), example, mode="fullgraph")
    assert problems(Run(graphs=1), example) == ""


def test_a_broken_example_proves_nothing() -> None:
    assert "the example is broken" in problems(Run(broken="no"), hazard((2, None)))


@pytest.mark.parametrize(
    ("effect", "shown"),
    [
        ("recompile", Run(recompiles=("g",), graphs=2)),
        ("wrong-result", Run(wrong_result=True, graphs=1)),
        ("not-compiled", Run(graphs=0)),
    ],
)
def test_each_effect_has_its_own_proof(effect: Effect, shown: Run) -> None:
    example = hazard((2, None))
    assert outcome(shown, example, effect).lines == (2,)
    assert problems(shown, example, effect) == ""
    assert problems(Run(graphs=1), example, effect) == f"marked, but {effect} was not seen"


def test_a_recompile_example_must_not_break_elsewhere() -> None:
    run = Run(breaks=(Break(6, "r", None, False),), recompiles=("g",), graphs=2)
    assert "Dynamo breaks at line 6" in problems(run, hazard((2, None)), "recompile")


def test_a_script_whose_assertion_fails_disagrees() -> None:
    failed = Run(script=True, failure=Failure("AssertionError", 7, "no"))
    assert problems(failed, hazard((2, None)), "slow-start") == ("the script fails at line 7: AssertionError: no")
    shown = Run(script=True)
    assert outcome(shown, hazard((2, None)), "slow-start") == Outcome(True, (2,))
    assert problems(shown, hazard((2, None)), "slow-start") == ""


def test_what_another_version_shows_need_not_be_seen_here() -> None:
    example = hazard((2, None), (6, None))
    assert problems(Run(breaks=(BREAK,), graphs=1), example, elsewhere=frozenset({6})) == ""
    assert problems(Run(graphs=1), example, elsewhere=frozenset({2, 6})) == ""
    assert problems(Run(graphs=1), example, elsewhere=frozenset({2})) == "marked, but graph-break was not seen"
    failed = Run(script=True, failure=Failure("AssertionError", 7, "no"))
    assert problems(failed, hazard((2, None)), "slow-start", elsewhere=frozenset({2})) == ""
    assert problems(Run(broken="no such function"), hazard((2, None)), elsewhere=frozenset({2})) == ""


def test_lines_that_later_runs_come_to_count_too() -> None:
    example = hazard((2, None), (6, None))
    later = Run(failure=Failure("Unsupported", 6, "another reason", "GB0001"))
    measured = outcome_of_lines(Lines((Run(failure=ERROR), later)), example, "graph-break")
    assert measured.lines == (2, 6)
    assert measured.gb_ids == ("GB0001", "GB0059")
    assert outcome_of_lines(Lines((Run(failure=ERROR),), frozenset({6})), example, "graph-break").unknown == (6,)


def test_of_a_statement_on_several_lines_the_marked_one_is_kept() -> None:
    example = Example("e", True, SOURCE, 1, ((3, "CL201", None),))
    assert outcome(Run(breaks=(BREAK,), graphs=1), example, "graph-break").lines == (3,)
