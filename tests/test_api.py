from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import compilelint
from compilelint import CompileFailure, assert_compiles, record
from compilelint.api import Recorded

pytestmark = pytest.mark.slow


def clean(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def breaking(x: torch.Tensor) -> torch.Tensor:
    print("here")
    return x + 1


PRINTS = breaking.__code__.co_firstlineno + 1


def branching(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # compilelint: ignore[CL110] the caller wants it
        return x + 1
    return x - 1


def eager(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    compiled: Callable[..., torch.Tensor] = torch.compile(function, backend="eager")
    return compiled


def test_the_results_of_all_calls_are_returned() -> None:
    x = torch.ones(3)
    results = assert_compiles(clean, x, (x, 3.0), {"x": x, "factor": 3.0}, ((x,), {"factor": 3.0}), max_recompiles=None)
    assert [each[0].item() for each in results] == [2.0, 3.0, 3.0, 3.0]


def test_a_break_fails_with_the_report_as_its_message() -> None:
    with pytest.raises(CompileFailure, match="max-breaks = 0: broken, found 1") as caught:
        assert_compiles(breaking, torch.ones(3))
    assert f"{Path(__file__).name}:{PRINTS}: graph break" in str(caught.value)
    (observation,) = caught.value.report.observations
    assert (observation.line, observation.gb_id) == (PRINTS, "GB0059")
    assert_compiles(breaking, torch.ones(3), max_breaks=1)


def test_recompiles_count_after_the_warm_up() -> None:
    calls = [torch.ones(3), torch.ones(4), torch.ones(5)]  # the second makes the size symbolic
    with pytest.raises(CompileFailure, match="max-recompiles = 0: broken, found 1"):
        assert_compiles(clean, *calls)
    assert_compiles(clean, *calls, warmup=2)
    assert_compiles(clean, *calls, max_recompiles=1)


def test_calls_of_what_was_compiled_before_are_counted_too() -> None:
    compiled = torch.compile(clean, backend="eager", dynamic=False)
    compiled(torch.ones(2))
    calls = [torch.ones(3), torch.ones(4), torch.ones(5)]
    with pytest.raises(CompileFailure, match="max-recompiles = 0: broken, found 1"):
        assert_compiles(compiled, *calls, warmup=2)
    assert_compiles(compiled, *calls, warmup=3)


def test_what_never_compiles_fails() -> None:
    with pytest.raises(CompileFailure, match="Nothing was compiled"):
        assert_compiles(lambda number: number + 1, 3)


def test_a_break_under_fullgraph_fails_with_the_report() -> None:
    with pytest.raises(CompileFailure, match=f"{PRINTS}: compile error") as caught:
        assert_compiles(breaking, torch.ones(3), fullgraph=True)
    assert type(caught.value.__cause__).__name__ == "Unsupported"


def test_other_exceptions_stay_what_they_are() -> None:
    def failing(x: torch.Tensor) -> torch.Tensor:
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        assert_compiles(failing, torch.ones(3))


def test_modules_are_compiled_or_keep_their_compilation() -> None:
    class Module(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sin()

    module = Module()
    assert_compiles(module, torch.ones(2, 3))
    module.compile(backend="eager")
    assert_compiles(module, torch.ones(2, 3))
    assert_compiles(torch.compile(module, backend="eager"), torch.ones(2, 3))


def test_hazards_that_a_comment_accepts_are_allowed() -> None:
    assert_compiles(branching, torch.ones(3))


def test_calls_are_needed() -> None:
    with pytest.raises(TypeError, match="at least one call"):
        assert_compiles(clean)


def test_a_block_is_recorded_while_it_runs_and_afterwards() -> None:
    with record(fresh=True) as run:
        assert run.compilations == 0
        compiled = eager(breaking)
        compiled(torch.ones(3))
        assert [each.line for each in run.breaks] == [PRINTS]
        compiled(torch.ones(4))
        assert sum(each.hits for each in run.recompiles) == 1
    assert [each.line for each in run.breaks] == [PRINTS]
    assert f"record() at {Path(__file__).name}:" in run.text()
    with pytest.raises(CompileFailure):
        run.check(max_recompiles=None)
    run.check(max_breaks=1, max_recompiles=1)


def test_a_recording_is_told_in_every_format() -> None:
    with record(fresh=True) as run:
        eager(breaking)(torch.ones(3))
    page = run.rendered("html")
    assert page.startswith("<!doctype html>")
    assert "1 cause" in page
    assert "print" in run.rendered("markdown")
    with pytest.raises(KeyError):
        run.rendered("parchment")


def test_nothing_is_recorded_outside_of_the_block() -> None:
    torch.compiler.reset()
    compiled = eager(clean)
    with record() as run:
        compiled(torch.ones(3))
    compiled(torch.ones(4))
    assert (run.compilations, run.recompiles) == (1, ())


def test_blocks_may_hold_blocks() -> None:
    with record(fresh=True) as outer:
        compiled = eager(clean)
        compiled(torch.ones(3))
        with record() as inner:
            compiled(torch.ones(4))
    assert (inner.compilations, len(inner.recompiles)) == (1, 1)
    assert (outer.compilations, len(outer.recompiles)) == (2, 1)


def test_an_exception_ends_the_recording_and_goes_on() -> None:
    def recorded() -> None:
        with record(fresh=True) as run:
            runs.append(run)
            eager(breaking)(torch.ones(3))
            raise ZeroDivisionError

    runs: list[Recorded] = []
    with pytest.raises(ZeroDivisionError):
        recorded()
    assert len(runs[0].breaks) == 1


def test_a_backend_can_be_replaced() -> None:
    used: list[int] = []

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., object]:
        used.append(1)
        return graph.forward

    with record(fresh=True, backend="eager") as run:
        torch.compile(clean, backend=backend)(torch.ones(3))
    assert (used, run.compilations) == ([], 1)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'recrd'"):
        compilelint.recrd  # noqa: B018


def test_functions_that_torch_imported_by_name_before_are_heard_and_put_back() -> None:
    from torch._inductor import compile_fx, cudagraph_utils

    before = compile_fx.log_cudagraph_skip_and_bump_counter  # type: ignore[attr-defined]
    with record() as run:
        compile_fx.log_cudagraph_skip_and_bump_counter("skipping cudagraphs due to mutated inputs")  # type: ignore[attr-defined]
    assert [each.type for each in run.observations] == ["cudagraph-skip"]
    assert compile_fx.log_cudagraph_skip_and_bump_counter is before  # type: ignore[attr-defined]
    assert cudagraph_utils.log_cudagraph_skip_and_bump_counter is before
