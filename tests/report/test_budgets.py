from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compilelint.report.budgets import Limits, exit_code, is_allowed, judged
from compilelint.report.model import Budget, Observation, Problem
from tests.report.make import observation, report, run

BREAK = observation()
RECOMPILE = observation(type="recompile", hits=3, hits_after_warmup=2)


def code(*observations: Observation, limits: Limits = Limits(), errors: Any = (), **of_run: Any) -> int:  # noqa: B008
    budgets = judged(limits, observations, 4.0)
    made = report(observations=observations, errors=errors, run=run(budgets=budgets, **of_run))
    return exit_code(made, limits)


def test_nothing_happened() -> None:
    assert code() == 0


@pytest.mark.parametrize("kind", ["graph-break", "recompile", "frame-skipped", "cudagraph-skip"])
def test_anything_counts_without_a_budget(kind: str) -> None:
    assert code(observation(type=kind)) == 1


def test_what_is_only_worth_knowing_does_not_count() -> None:
    assert code(observation(type="repeated-blocks", severity="info")) == 0


def test_what_a_comment_accepts_does_not_count() -> None:
    assert code(observation(accepted=True)) == 0
    assert code(observation(accepted=True), limits=Limits(max_breaks=0)) == 0


def test_a_recompile_of_the_warm_up_is_free() -> None:
    free = replace(RECOMPILE, hits_after_warmup=0)
    assert code(free) == 0
    assert is_allowed(free, ())
    assert code(replace(BREAK, hits_after_warmup=0)) == 1, "a break stays"


def test_nothing_compiled_proves_nothing() -> None:
    assert code(compilations=0) == 2
    assert code(observation(accepted=True), compilations=0) == 2
    assert code(limits=Limits(max_breaks=0), compilations=0) == 2
    assert exit_code(report(), Limits()) == 2


def test_everything_given_up_is_more_than_nothing() -> None:
    assert code(observation(type="frame-skipped"), compilations=0) == 1


def test_what_could_not_be_read_is_never_a_pass() -> None:
    assert code(unreadable=("guards: odd",)) == 2
    assert code(BREAK, unreadable=("guards: odd",)) == 2


def test_a_broken_file_somewhere_is_no_matter_for_the_run() -> None:
    assert code(errors=(Problem("a.py", "invalid syntax", 1),)) == 0


def test_only_what_has_a_budget_is_judged_by_it() -> None:
    assert code(BREAK, limits=Limits(max_breaks=1)) == 0
    assert code(BREAK, limits=Limits(max_breaks=0)) == 1
    assert code(BREAK, limits=Limits(max_recompiles=0)) == 0


@pytest.mark.parametrize("kind", ["recompile-limit", "compile-error"])
def test_no_budget_allows_silent_eager(kind: str) -> None:
    limits = Limits(max_breaks=9, max_recompiles=9, max_compile_seconds=99)
    assert code(observation(type=kind, severity="error"), limits=limits) == 1


def test_budgets_count_causes_of_breaks_and_single_recompiles_after_the_warm_up() -> None:
    limits = Limits(max_breaks=1, max_recompiles=2, max_compile_seconds=3.5)
    skipped = observation(type="frame-skipped")
    assert judged(limits, [BREAK, skipped, RECOMPILE, observation(accepted=True)], 4.0) == (
        Budget("max-breaks", 1, 2),
        Budget("max-recompiles", 2, 2),
        Budget("max-compile-seconds", 3.5, 4.0),
    )


def test_ranks_that_recompile_together_do_it_once() -> None:
    together = observation(type="recompile", hits=4, hits_after_warmup=4, ranks=(0, 1))
    assert judged(Limits(max_recompiles=0), [together], 0.0)[0].found == 2


def test_a_budget_may_be_used_up() -> None:
    assert not Budget("max-breaks", 2, 2).broken
    assert Budget("max-breaks", 2, 3).broken


def test_what_torch_does_to_itself_counts_for_nothing() -> None:
    inner = observation(severity="info")
    assert code(inner) == 0
    assert code(inner, limits=Limits(max_breaks=0)) == 0
    assert code(inner, compilations=0) == 2


@pytest.mark.parametrize(
    ("changes", "budgets", "allowed"),
    [
        ({}, (), False),
        ({"accepted": True}, (), True),
        ({"severity": "info"}, (), True),
        ({}, (Budget("max-breaks", 1, 1),), True),
        ({}, (Budget("max-breaks", 0, 1),), False),
        ({}, (Budget("max-recompiles", 0, 1),), True),
        ({"type": "frame-skipped"}, (Budget("max-breaks", 0, 1),), False),
        ({"type": "recompile"}, (Budget("max-recompiles", 0, 1),), False),
        ({"type": "compile-error"}, (Budget("max-recompiles", 5, 1),), False),
    ],
)
def test_what_a_run_may_do_under_budgets(
    changes: dict[str, object], budgets: tuple[Budget, ...], allowed: bool
) -> None:
    assert is_allowed(observation(**changes), budgets) is allowed
