"""How torch 2.5 tells breaks, with stand-ins for what it has and no newer torch calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import old_torch, torch_adapter

Told = list[tuple[str, dict[str, Any]]]


@dataclass
class Summary:
    filename: str
    lineno: int
    name: str


USER = [Summary("/p/a.py", 3, "f")]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    monkeypatch.setattr(torch_adapter, "breaks_are_artifacts", lambda: False)
    return []


def make_reason(told: Told) -> Callable[..., object]:
    """As torch._dynamo.output_graph.GraphCompileReason, hooked."""

    @dataclass
    class GraphCompileReason:
        reason: str
        user_stack: list[Summary]
        graph_break: bool = True

        def __post_init__(self) -> None:
            pass

    def tell(reason: str, **where: Any) -> None:
        told.append((reason, where))

    GraphCompileReason.__post_init__ = old_torch.splits(tell, GraphCompileReason.__post_init__)  # type: ignore[method-assign]
    return GraphCompileReason


def test_a_graph_that_is_split_is_told_with_who_called_it(told: Told) -> None:
    make_reason(told)("Tensor.item", USER)
    ((reason, where),) = told
    assert reason == "Tensor.item"
    assert where["inside"] == (StackFrame("/p/a.py", 3, "f"),)
    assert where["before"][-1].path == __file__, "not the __init__ that a dataclass has"
    assert where["before"][-1].function.endswith("test_a_graph_that_is_split_is_told_with_who_called_it")


def test_a_graph_that_ends_with_its_function_is_no_break(told: Told) -> None:
    make_reason(told)("return_value", USER, graph_break=False)
    assert not told


def test_a_torch_that_tells_breaks_itself_is_left_alone(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_adapter, "breaks_are_artifacts", lambda: True)
    make_reason(told)("Tensor.item", USER)
    assert not told


class Unsupported(Exception):
    real_stack = USER


def skipped(told: Told, message: str) -> None:
    class SkipFrame(Exception):
        pass

    def tell(reason: str, **where: Any) -> None:
        told.append((reason, where))

    SkipFrame.__init__ = old_torch.skips(tell, SkipFrame.__init__)  # type: ignore[method-assign]
    SkipFrame(message)


IN_LOOP = "Skipping frame because there is a graph break in a for/while loop\n<FrameSummary file /p/a.py, line 9 in g>"


def test_a_frame_dropped_for_a_break_in_a_loop_is_told_with_the_break(told: Told) -> None:
    try:
        raise Unsupported("Tensor.item")
    except Unsupported:
        skipped(told, IN_LOOP)
    ((reason, where),) = told
    assert (reason, where["dropped"], where["inside"]) == ("Tensor.item", True, (StackFrame("/p/a.py", 3, "f"),))


def test_a_frame_dropped_for_a_branch_in_a_loop_has_no_cause_but_a_place(told: Told) -> None:
    skipped(told, IN_LOOP)
    ((reason, where),) = told
    assert (reason, where["inside"]) == ("Data-dependent branching", (StackFrame("/p/a.py", 9, "g"),))


def test_a_frame_skipped_for_another_reason_is_not_told(told: Told) -> None:
    skipped(told, "because no content in function call")
    assert not told
