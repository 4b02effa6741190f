from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from compilelint.report.model import FrameCost, Moment, Verdict
from compilelint.report.reach import come_to, is_beside, told_beside
from tests.report.make import finding, observation, report, run


def test_a_run_came_to_the_files_of_its_stacks_and_of_what_it_judged() -> None:
    told = report(
        finding(path="refuted.py", verdict="refuted"),
        finding(path="never.py", verdict="not-reached"),
        observations=(observation(),),
        run=run(frames=(), timeline=()),
    )
    assert come_to(told) == {"train.py", "src/model.py", "refuted.py"}


def test_a_run_came_to_the_files_of_what_it_compiled_and_of_the_calls_that_asked_for_it() -> None:
    called = Moment("first-result", 1.0, 0, compiled_by="train.py:40 torch.compile(Net)")
    told = report(run=run(frames=(FrameCost("model.py", 10, "Net.forward", 1, 0.5),), timeline=(called,)))
    assert come_to(told) == {"model.py", "train.py"}


def test_where_nothing_was_compiled_what_may_say_why_is_not_beside() -> None:
    why = finding(path="train.py", effect="not-compiled")
    nothing = run(compilations=0, frames=(), timeline=())
    assert come_to(report(why, finding(path="never.py"), run=nothing)) == {"train.py"}
    assert come_to(report(why, run=run(frames=(), timeline=()))) == set()
    failed = report(why, observations=(observation(stack=()),), run=nothing)
    assert "train.py" not in come_to(failed), "why nothing was compiled is known"
    reasons: tuple[dict[str, Any], ...] = (
        {"ended": "ended by ModuleNotFoundError: no torchvision"},
        {"cut_off": True},
        {"switched_off": "TORCH_COMPILE_DISABLE=1"},
    )
    for known in reasons:
        assert come_to(report(why, run=replace(nothing, **known))) == set()


@pytest.mark.parametrize(
    ("path", "verdict", "beside"),
    [("a.py", "not-reached", False), ("b.py", "not-reached", True), ("b.py", None, True), ("b.py", "refuted", False)],
)
def test_findings_of_other_files_are_beside(path: str, verdict: Verdict | None, beside: bool) -> None:
    assert is_beside(finding(path=path, verdict=verdict), {"a.py"}) is beside


def test_of_those_that_are_beside_a_number_is_told() -> None:
    apart = [finding(path=path, verdict="not-reached") for path in ("a.py", "a.py", "b.py")]
    assert told_beside(apart) == (
        "3 more hazards in 2 files that this run never came to: `compilelint check` lists them"
    )
    assert told_beside([finding(verdict=None)]) == told_beside([]) == ""
