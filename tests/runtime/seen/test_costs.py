from __future__ import annotations

from compilelint.report.model import FrameCost
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CacheUse, CompileStart, FirstResult
from compilelint.runtime.seen import costs
from tests.runtime.make import FORWARD, MAIN, MODEL, STEP, end, item, recompile, session


def test_a_break_costs_its_frame_and_the_parts_after_it() -> None:
    rest = StackFrame(MAIN, 12, "torch_dynamo_resume_in_step_at_12")
    events = [item(), end(seconds=2.0), end("1/0", rest, seconds=3.0), end("2/0", FORWARD, seconds=9.0)]
    assert costs.pieces(events) == {0: 5.0}


def test_breaks_in_one_frame_share_its_time() -> None:
    assert costs.pieces([item(22), item(23), end(seconds=2.0)]) == {0: 1.0, 1: 1.0}


def test_a_recompile_costs_its_compilation_with_the_backward() -> None:
    events = [recompile("n == 1"), end("0/1", seconds=2.0), end("0/1", seconds=0.5, backward=True)]
    assert costs.pieces(events) == {0: 2.5}


def test_what_is_compiled_again_is_the_cost_of_the_recompile_alone() -> None:
    rest = StackFrame(MAIN, 12, "torch_dynamo_resume_in_step_at_12")
    first = [item(), end(seconds=2.0), end("1/0", rest, seconds=3.0)]
    again = [recompile("n == 1"), item(compile_id="0/1"), end("0/1", seconds=4.0)]
    rest_again = [recompile("n == 1", compile_id="1/1", code=rest), end("1/1", rest, seconds=8.0)]
    assert costs.pieces([*first, *again, *rest_again]) == {0: 3.5, 3: 4.0, 4: 1.5, 6: 8.0}


def test_ids_that_begin_anew_after_a_reset_are_other_compilations() -> None:
    start = CompileStart(at=0.0, compile_id="0/0", code=STEP)
    before = [start, item(22), end(seconds=2.0)]
    after = [start, item(23), end(seconds=5.0), start, end(seconds=7.0)]
    assert costs.pieces([*before, *after]) == {1: 2.0, 4: 5.0}


def test_a_run_that_was_cut_off_has_compilations_without_end() -> None:
    assert costs.pieces([item(), recompile("n == 1")]) == {0: 0.0, 1: 0.0}


def test_frames_are_ordered_by_what_they_took_and_ranks_do_not_add_up() -> None:
    ranks = [
        session(end(seconds=1.0), end("0/1", seconds=1.0), end("1/0", FORWARD, seconds=5.0), rank=0),
        session(end(seconds=1.5), rank=1),
    ]
    assert costs.frames(ranks) == (
        FrameCost(MODEL, 20, "Net.forward", 1, 5.0, 5),
        FrameCost(MAIN, 10, "step", 2, 2.0, 5),
    )
    assert costs.seconds_by_rank(ranks) == 7.0


def test_a_backward_graph_costs_the_function_of_its_forward() -> None:
    (cost,) = costs.frames([session(end(), end(backward=True, code=None, seconds=0.5))])
    assert (cost.compilations, cost.seconds, cost.backward_seconds) == (1, 1.5, 0.5)


def test_the_cost_of_a_part_tells_the_line_after_which_it_goes_on() -> None:
    part = StackFrame(MAIN, 12, "torch_dynamo_resume_in_step_at_12")
    (cost,) = costs.frames([session(end(code=part))])
    assert (cost.function, cost.resumed_at) == ("step (after line 12)", 12)


def test_the_warm_up_costs_nothing() -> None:
    given = [session(end(call=1), end(call=2, seconds=0.25), end(call=0, seconds=0.5))]
    assert costs.seconds_by_rank(given, warmup=1) == 0.75


def test_children_of_a_rank_compile_for_it() -> None:
    given = [session(end(), rank=0), session(end(), rank=0, parent=1), session(end(), rank=1)]
    assert costs.seconds_by_rank(given) == 2.0


def test_first_results_and_caches() -> None:
    given = [
        session(
            FirstResult(at=1.0, seconds=2.0),
            FirstResult(at=1.0, seconds=3.0),
            CacheUse(at=1.0, cache="fx-graph", outcome="hit"),
            CacheUse(at=1.0, cache="fx-graph", outcome="miss"),
            CacheUse(at=1.0, cache="aot-autograd", outcome="miss"),
        )
    ]
    assert costs.first_result(given) == 3.0
    assert costs.first_result([session()]) is None
    assert (costs.cache_uses(given, "hit"), costs.cache_uses(given, "miss")) == (1, 2)


def test_only_forward_graphs_are_compilations() -> None:
    given = session(end(), end(backward=True), end(ok=False), end("1/0", STEP))
    assert [each.compile_id for each in costs.compilations(given)] == ["0/0", "1/0"]
