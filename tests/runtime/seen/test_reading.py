from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.uncaught import DONATED_BUFFERS, DOUBLE_BACKWARD
from compilelint.runtime.events import (
    CompileError,
    CompileStart,
    CudagraphSkip,
    Event,
    FrameSkipped,
    GuardValue,
    LimitHit,
    LinesTraced,
    Recompile,
    RepeatedBlock,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.seen.reading import read
from tests.runtime.make import CALL, FORWARD, LIBRARY, MAIN, MODEL, STEP, end, item, recompile, session


def owned(path: str) -> bool:
    return path.startswith("/app/")


def seen(*events: Event, warmup: int = 0) -> tuple[Observation, ...]:
    return read([session(*events)], owned, warmup).observations


def test_a_break_is_where_it_happened() -> None:
    (found,) = seen(item(22), end())
    assert (found.type, found.path, found.line, found.function) == ("graph-break", MODEL, 22, "forward")
    assert found.reason.startswith("`.item()`")
    assert found.gb_id == "GB0124"
    assert found.owner == StackFrame(MODEL, 22, "forward")
    assert found.compiled_by == f"{MAIN}:40 torch.compile(step)"
    assert found.stack[found.inside] == StackFrame(MAIN, 12, "step")


def test_a_break_at_a_jump_is_where_its_condition_stands() -> None:
    (found,) = seen(item(22, asked=23), end())
    assert (found.line, found.owner, found.stack[-1].line) == (23, StackFrame(MODEL, 23, "forward"), 23)
    assert StackFrame(MODEL, 22, "forward") in found.calls, "what goes on after the jump is named by its line"


def test_a_method_of_a_file_that_dynamo_leaves_out_is_told_in_that_file() -> None:
    of_torch = StackFrame("/venv/lib/python3.11/site-packages/torch/_dynamo/external_utils.py", 69, "inner")
    (found,) = seen(
        item(
            stack=(of_torch,),
            gb_type="Attempted to inline function marked as skipped",
            context="qualname: Net.forward, name: forward, skip reason: file is under skip directory (/app/tree.py)",
        )
    )
    assert (found.path, found.severity) == ("/app/tree.py", "warning")


def test_the_same_break_in_several_frames_is_one() -> None:
    again = item(22, compile_id="1/0", code=FORWARD, stack=(StackFrame(MODEL, 22, "forward"),))
    (found,) = seen(item(22), again)
    assert found.hits == 2
    assert len(found.stack) == 3, "the longest stack tells most"
    assert found.function == "forward"


def test_two_constructs_on_one_line_stay_apart() -> None:
    found = seen(item(22), item(22, gb_type="Failed to trace builtin operator", gb_id="GB0059"))
    assert [each.gb_id for each in found] == ["GB0124", "GB0059"]


def test_a_break_at_an_operator_that_a_class_of_tensors_hands_on_is_where_the_operator_stands() -> None:
    outer = (StackFrame(MAIN, 12, "step"), StackFrame(MODEL, 22, "forward"))
    handing_on = StackFrame(MODEL, 5, "Marked.__torch_function__")
    of_torch = StackFrame("/site-packages/torch/_tensor.py", 1530, "Tensor.__torch_function__")
    (found,) = seen(item(stack=(*outer, handing_on, of_torch)), end())
    assert (found.path, found.line, found.function) == (MODEL, 22, "forward")
    (found,) = seen(item(stack=(*outer, handing_on)), end())
    assert found.line == 5, "what it does itself is its own"


def test_a_break_in_a_library_is_owned_by_the_call_that_leads_there() -> None:
    stack = (StackFrame(MAIN, 12, "step"), StackFrame(LIBRARY, 7, "inner"))
    (found,) = seen(item(stack=stack))
    assert (found.path, found.line) == (LIBRARY, 7)
    assert found.owner == StackFrame(MAIN, 12, "step")


def test_the_way_there_is_of_one_hit() -> None:
    other = replace(CALL, number=1, function="other", code=FORWARD)
    longer = (StackFrame(MAIN, 40, "main"), StackFrame(MAIN, 50, "run"), StackFrame(MAIN, 60, "go"))
    found = seen(other, item(), item(target=1, stack=(*longer, StackFrame(MODEL, 22, "forward"))))
    (one,) = found
    assert one.compiled_by.endswith("torch.compile(other)")
    assert one.stack[one.inside :] == (StackFrame(MODEL, 22, "forward"),)
    assert one.calls == (StackFrame(MAIN, 12, "step"), StackFrame(MODEL, 22, "forward"))


def test_without_the_compiled_function_its_code_begins_after_torchs_call() -> None:
    call = StackFrame("/env/lib/python3.11/site-packages/torch/nn/modules/module.py", 9, "_call_impl")
    frames = (StackFrame(MAIN, 40, "<module>"), call, call, StackFrame(MODEL, 22, "inner"), call)
    wrapped = replace(STEP, function="wrapper")
    (found,) = seen(item(stack=(*frames, StackFrame(MODEL, 30, "last")), code=wrapped))
    assert found.stack[found.inside] == frames[3]
    (no_module,) = seen(item(stack=(frames[0], frames[3]), code=wrapped))
    assert no_module.inside == 0


def test_a_method_that_calls_a_compiled_function_of_its_name_is_outside() -> None:
    method = StackFrame(MAIN, 33, "Engine.step")
    for guard in ((), (StackFrame(MAIN, 11, "step"),)):
        (found,) = seen(recompile("n == 1", stack=(method,), guard_stack=guard))
        assert found.stack[found.inside :] == guard


def test_nobody_owns_what_only_libraries_did() -> None:
    (found,) = seen(item(stack=(StackFrame(LIBRARY, 7, "inner"),)))
    assert found.owner is None


def test_a_loop_around_a_break_drops_the_frame() -> None:
    (found,) = seen(item(wrapped_by=("graph break in loop",), frame_dropped=True))
    assert found.frame_dropped
    assert found.aggravated_by == ("inside a loop",)
    assert found.frame == STEP
    assert found.dropped == (STEP,)


def test_all_functions_that_are_dropped_for_one_break_are_known() -> None:
    in_step = item(frame_dropped=True)
    in_forward = replace(in_step, compile_id="1/0", code=FORWARD)
    (found,) = seen(in_step, in_forward, in_forward, replace(in_step, frame_dropped=False))
    assert found.dropped == (STEP, FORWARD)


def test_a_break_that_raises_is_an_error_of_the_program_and_no_break() -> None:
    (found,) = seen(item(raised=True))
    assert (found.type, found.severity, found.frame_dropped) == ("compile-error", "error", False)


def test_ranks_are_merged_and_the_slowest_counts() -> None:
    ranks = [
        session(item(), end(seconds=1.0), rank=0, world_size=2),
        session(item(), item(30), end(seconds=3.0), rank=1, world_size=2),
    ]
    both, one = read(ranks, owned).observations
    assert (both.ranks, both.hits, both.compile_seconds) == ((0, 1), 2, 1.5)
    assert (one.ranks, one.line) == ((1,), 30)


def test_recompiles_for_one_variable_are_one_with_all_values() -> None:
    (found,) = seen(
        recompile("self.calls == 0", compile_id="0/1", code=FORWARD),
        end("0/1", FORWARD),
        recompile("self.calls == 1", "self.calls == 0", compile_id="0/2", code=FORWARD),
        end("0/2", FORWARD, seconds=2.0),
        recompile("self.calls == 2", "self.calls == 1", "self.calls == 0", compile_id="0/3", code=FORWARD),
    )
    assert (found.type, found.path, found.line, found.function) == ("recompile", MODEL, 20, "Net.forward")
    assert found.reason == "`self.calls` is a Python int that keeps changing: 0, 1, 2"
    assert found.values == ("0", "1", "2")
    assert (found.variable, found.hits, found.compile_seconds) == ("self.calls", 3, 3.0)


def test_what_was_compiled_elsewhere_is_no_value_that_was_before() -> None:
    start = CompileStart(at=1.0, target=0, call=1, compile_id="0/0", code=STEP)
    first = recompile("tensor 'x' size mismatch at index 0. expected 34, actual 64")
    second = recompile("tensor 'x' size mismatch at index 0. expected 28, actual 32")
    reset = [start, first, start, second]
    ranks = [session(start, first, rank=0, world_size=2), session(start, second, rank=1, world_size=2)]
    for found in (*seen(*reset), *read(ranks, owned).observations):
        assert (found.hits, found.reason) == (2, "argument `x` dimension 0 was 34, now 64")
        assert "CL522" not in found.advice


def test_advice_is_on_all_of_the_changes() -> None:
    sizes = [f"tensor 'x' size mismatch at index 0. expected {old}, actual {new}" for old, new in ((1, 2), (2, 3))]
    (found,) = seen(*map(recompile, sizes))
    assert found.reason == "argument `x` dimension 0 keeps changing: 1, 2, 3"
    assert "mark_dynamic(x, 0)" in found.advice


def test_a_size_that_changes_again_is_held_as_a_constant() -> None:
    sizes = [f"tensor 'x' size mismatch at index 1. expected {old}, actual {new}" for old, new in ((4, 6), (6, 8))]
    (found,) = seen(*map(recompile, sizes))
    assert "mark" not in found.advice
    assert "CL522" in found.advice


def test_what_to_do_about_a_break_in_torch_itself_is_told_by_its_place() -> None:
    in_norm = StackFrame("/env/site-packages/torch/nn/modules/batchnorm.py", 192, "forward")
    (found,) = seen(replace(item(), stack=(in_norm,)))
    assert "momentum=None" in found.advice
    (found,) = seen(item())
    assert "momentum" not in found.advice


def test_a_size_that_might_vary_from_the_first_on_is_held_where_it_changes_at_all() -> None:
    change = recompile("tensor 'x' size mismatch at index 1. expected 4, actual 6")
    varying = replace(session(change), events=(replace(CALL, dynamic=True), change))
    (found,) = read([varying], owned).observations
    assert "CL522" in found.advice
    (found,) = seen(change)
    assert "mark_dynamic(x, 1)" in found.advice


def test_what_no_known_call_runs_through_a_function_of_dynamo_s_is_told_where_it_stands() -> None:
    torch = StackFrame("/env/site-packages/torch/_dynamo/external_utils.py", 67, "wrap_inline.<locals>.inner")
    method = StackFrame(STEP.path, 17, "update")
    guard = recompile("fn.__self__.steps == 0", code=torch, guard_stack=(torch, method), target=None)
    (found,) = seen(guard)
    assert (found.path, found.line, found.function) == (method.path, 17, "update")
    assert found.variable == "self.steps"
    assert found.reason.startswith("`self.steps` is")


def test_recompiles_for_different_variables_are_different() -> None:
    found = seen(recompile("n == 1"), recompile("m is None"))
    assert [each.variable for each in found] == ["n", "m"]


def test_a_part_after_a_break_goes_by_the_name_of_its_function() -> None:
    part = StackFrame(MODEL, 22, "Net.torch_dynamo_resume_in_forward_at_22")
    (found,) = seen(recompile("n == 1", code=part))
    assert found.function == "Net.forward"
    assert found.frame == StackFrame(MODEL, 22, "Net.forward (after line 22)")


def test_calls_of_the_warm_up_are_counted_apart() -> None:
    (found,) = seen(recompile("n == 1", call=1), recompile("n == 2", call=2), recompile("n == 3", call=3), warmup=2)
    assert (found.hits, found.hits_after_warmup) == (3, 1)


def test_a_limit_is_an_error_that_names_the_last_guard() -> None:
    (found,) = seen(LimitHit(at=3.0, limit="recompile_limit", value=8, code=FORWARD, reason="0/7: self.calls == 7"))
    assert (found.type, found.severity, found.frame_dropped) == ("recompile-limit", "error", True)
    assert found.variable == "self.calls"
    assert "8" in found.reason
    assert "`self.calls` is a Python int" in found.reason


def test_errors_that_nobody_was_told_of_are_said() -> None:
    quiet = CompileError(
        at=1.0,
        compile_id="0/0",
        code=STEP,
        error="BackendCompilerFailed",
        message="\nbackend='x' raised:\nno C++\nmore",
        suppressed=True,
    )
    found, raised = seen(quiet, replace(quiet, suppressed=False, error="TypeError"))
    assert (found.type, found.severity, found.frame_dropped) == ("compile-error", "error", True)
    assert found.reason.endswith("BackendCompilerFailed: backend='x' raised: no C++")
    assert not raised.frame_dropped


def test_what_the_program_made_an_error_itself_is_no_bug_to_report() -> None:
    (refused,) = seen(
        CompileError(
            at=1.0,
            compile_id="0/1",
            code=STEP,
            error="RecompileError",
            message="Recompiling function step",
            suppressed=False,
            stack=(),
        )
    )
    assert "error_on_recompile" in refused.reason
    assert "tell PyTorch" not in refused.advice
    (limit,) = seen(LimitHit(at=1.0, limit="recompile_limit", value=2, code=STEP, reason="k == 'a'", raised=True))
    assert "it raised" in limit.reason
    assert not limit.frame_dropped


@pytest.mark.parametrize(
    ("words", "reason", "advice"),
    [
        (DOUBLE_BACKWARD, "differentiated again", "CL744"),
        (f"{DONATED_BUFFERS} which requires create_graph=False", "`retain_graph=True`", "donated_buffer"),
    ],
)
def test_what_a_backward_raises_is_where_it_was_called(words: str, reason: str, advice: str) -> None:
    (found,) = seen(
        CompileError(
            at=1.0,
            compile_id=None,
            code=None,
            error="RuntimeError",
            message=words,
            suppressed=False,
            stack=(StackFrame(MAIN, 40, "<module>"), StackFrame(MAIN, 12, "step")),
        )
    )
    assert (found.path, found.line, found.function, found.frame) == (MAIN, 12, "step", None)
    assert reason in found.reason
    assert advice in found.advice


def test_a_negative_number_that_varies_and_is_raised_to_a_power() -> None:
    said = (
        "RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: "
        "call_function <built-in function pow>(*({base}, 2), **{{}}): got RuntimeError('Expected cond to be True, but "
        "got False. (Could this error message be improved?)')"
    )
    error = CompileError(
        at=1.0,
        compile_id="0/1",
        code=STEP,
        error="TorchRuntimeError",
        message=said.format(base="FloatTrueDiv(ToFloat(s81 - 10), 5.0)"),
        suppressed=False,
        stack=(StackFrame(MAIN, 40, "main"), StackFrame(MAIN, 12, "step")),
    )
    (found,) = seen(error)
    assert "`FloatTrueDiv(ToFloat(s81 - 10), 5.0)`, is raised to the power 2, and is negative" in found.reason
    assert "`math.pow(y, 2)`" in found.advice
    (of_tensor,) = seen(replace(error, message=said.format(base="FakeTensor(..., size=(2,))")))
    assert "negative" not in of_tensor.reason


def test_an_error_while_tracing_is_where_it_happened() -> None:
    error = CompileError(
        at=1.0,
        compile_id="0/0",
        code=replace(STEP, function="torch_dynamo_resume_in_step_at_10"),
        error="TorchRuntimeError",
        message="RuntimeError in a fake call\n  Explanation: …: got ValueError('2 and 3')\n  Hint: Your code",
        suppressed=False,
        stack=(StackFrame(MAIN, 40, "main"), StackFrame(MAIN, 12, "step"), StackFrame(MODEL, 22, "forward")),
    )
    (found,) = seen(error)
    assert (found.path, found.line, found.function) == (MODEL, 22, "forward")
    assert found.reason == "compiling failed, it raised: TorchRuntimeError: ValueError('2 and 3')"
    text = (
        "got RuntimeError('/__w/aten/Register_0.cpp:9486: SymIntArrayRef expected to contain only concrete integers')"
    )
    (symbolic,) = seen(replace(error, message=f"Failed: {text}"))
    assert symbolic.reason.endswith("RuntimeError('SymIntArrayRef expected to contain only concrete integers')")
    assert "`dynamic=False`" in symbolic.advice
    text = r"got RuntimeError('Cannot call sizes() on tensor with symbolic sizes/strides\nException raised from f\n#0')"
    (of_vmap,) = seen(replace(error, message=f"Failed: {text}"))
    assert of_vmap.reason.endswith(": RuntimeError('Cannot call sizes() on tensor with symbolic sizes/strides')")
    assert "`dynamic=False`" in of_vmap.advice
    (of_caller,) = seen(replace(error, stack=error.stack[:1]))
    assert (of_caller.path, of_caller.line) == (STEP.path, STEP.line)


def test_a_frame_that_is_given_up_without_a_break_is_seen() -> None:
    (found,) = seen(FrameSkipped(at=1.0, code=FORWARD, reason="Attempt to trace generator"))
    assert (found.type, found.line, found.frame_dropped) == ("frame-skipped", 20, True)
    assert "generator" in found.reason
    called = FrameSkipped(at=1.0, code=StackFrame(TORCH, 5, "gen"), reason="…", stack=(STEP,))
    assert [each.severity for each in seen(called)] == ["info"], "there is nothing of the user's to change in it"


@pytest.mark.parametrize(
    ("file", "severity"),
    [("jinja2/lexer.py", "info"), ("typing_extensions.py", "info"), ("sympy/core.py", "info"), ("other.py", "warning")],
)
def test_what_torch_itself_runs_is_none_of_the_users(file: str, severity: str) -> None:
    code = StackFrame(f"/env/lib/python3.11/site-packages/{file}", 5, "gen")
    (found,) = seen(FrameSkipped(at=1.0, code=code, reason="…", stack=(STEP,)))
    assert found.severity == severity


def test_where_torch_compiles_what_it_put_around_its_own_function_there_is_nothing_to_change() -> None:
    # torch.compile(optimizer.step), which a scheduler counts: Dynamo calls the scheduler's function, and breaks there.
    inner = StackFrame("/env/lib/python3.11/site-packages/torch/_dynamo/external_utils.py", 69, "inner")
    wrapper = replace(inner, line=67, function="wrap_inline.<locals>.inner")
    stack = (StackFrame(MAIN, 40, "<module>"), inner)
    (found,) = seen(replace(CALL, code=StackFrame(TORCH, 105, "SGD.step")), item(stack=stack, code=wrapper))
    assert (found.severity, found.inside) == ("info", 1)
    (own,) = seen(CALL, item(stack=stack, code=wrapper))
    assert own.severity == "warning", "a function of the user's, which Dynamo does not trace"


def test_a_failure_that_only_the_metrics_know_is_seen_once() -> None:
    failed = end("3/0", FORWARD, ok=False, fail_type="Unsupported", fail_reason="Something\nlong")
    assert [(each.type, each.reason) for each in seen(failed)] == [("frame-skipped", "Something")]
    assert [each.type for each in seen(item(compile_id="3/0"), failed)] == ["graph-break"]
    begun = CompileStart(at=0.0, compile_id="3/0", code=FORWARD)
    after_reset = seen(begun, item(compile_id="3/0"), end("3/0", FORWARD), begun, failed)
    assert [each.type for each in after_reset] == ["graph-break", "frame-skipped"]


def test_a_frame_without_tensors_is_nothing_to_report() -> None:
    assert seen(end("3/0", FORWARD, ok=False)) == ()


def test_skipped_cuda_graphs_keep_their_reason() -> None:
    (found,) = seen(CudagraphSkip(at=1.0, reason="mutated inputs (1 instances)\n more"))
    assert found.reason == "torch leaves this graph out because of mutated inputs (1 instances)"
    assert found.advice.startswith("Return the new value instead of changing an argument")


def test_a_skipped_cuda_graph_says_why_once() -> None:
    said = "skipping cudagraphs due to skipping cudagraphs due to cpu device (arg0_1). Found from : \n   more"
    (found,) = seen(CudagraphSkip(at=1.0, reason=said))
    assert found.reason == "torch leaves this graph out because of cpu device (arg0_1)"
    assert found.advice.startswith("Make every tensor of it on the GPU")


def test_a_skipped_cuda_graph_for_an_unknown_reason_has_no_advice() -> None:
    (found,) = seen(CudagraphSkip(at=1.0, reason="skipping cudagraphs due to something new"))
    assert (found.reason, found.advice) == ("torch leaves this graph out because of something new", "")


def test_traced_lines_are_joined_over_ranks() -> None:
    one = session(LinesTraced(at=1.0, path=MODEL, ranges=((3, 5),)), rank=0)
    two = session(LinesTraced(at=1.0, path=MODEL, ranges=((5, 6), (9, 9))), rank=1)
    assert read([one, two], owned).traced == {MODEL: frozenset({3, 4, 5, 6, 9})}


def test_what_could_not_be_read_is_said() -> None:
    given = replace(session(Unreadable(at=1.0, source="guards", message="odd")), unreadable=("s.jsonl:3: no record",))
    assert read([given], owned).unreadable == ("s.jsonl:3: no record", "guards: odd")


def test_a_torch_that_does_not_tell_something_proves_nothing() -> None:
    loaded = TorchLoaded(at=0.0, version="2.99.0", missing=("recompiles",))
    assert read([session(loaded)], owned).unreadable == ("torch 2.99.0 does not tell of recompiles",)


def test_one_change_of_size_is_known_by_its_sizes() -> None:
    found = seen(
        recompile("tensor 'x' size mismatch at index 0. expected 8, actual 5"),
        recompile("tensor 'y' size mismatch at index 1. expected 8, actual 5", code=FORWARD),
        recompile("GLOBAL_STATE changed: grad_mode "),
    )
    assert [each.change for each in found] == ["size 8 5", "size 8 5", "state grad_mode"]
    assert found[2].variable == ""


def test_an_int_that_is_passed_on_may_be_the_size_that_changed() -> None:
    def changed(guard: str, expected: str, actual: str) -> Recompile:
        value = GuardValue(source="n", expected=expected, actual=actual)
        return recompile(guard, values=(value,))

    found = seen(
        changed("n == 8", "8", "5"),
        changed("___stack0 == 8", "8", "5"),
        changed("self.n == 8", "8", "5"),
        changed("flag == 1", "1", "2"),
        changed("rate == 2.5", "2.5", "3.5"),
    )
    assert [each.change for each in found] == ["size 8 5", "size 8 5", "", "", ""]


TORCH = "/env/lib/python3.11/site-packages/torch/nn/parallel/distributed.py"


def test_what_torch_does_to_itself_is_only_worth_knowing() -> None:
    caller = StackFrame(MAIN, 40, "main")
    alone = item(code=StackFrame(TORCH, 5, "forward"), stack=(caller, StackFrame(TORCH, 9, "forward")))
    assert [each.severity for each in seen(alone)] == ["info"]
    called = replace(alone, code=STEP, stack=(caller, StackFrame(MAIN, 12, "step"), StackFrame(TORCH, 9, "f")))
    assert [each.severity for each in seen(called)] == ["warning"], "the user's call leads there"
    library = replace(alone, code=FORWARD, stack=(StackFrame(LIBRARY, 9, "f"), StackFrame(TORCH, 9, "f")))
    assert [each.severity for each in seen(library)] == ["warning"], "somebody else's call leads there"


def test_each_line_that_leads_to_a_break_inside_torch_is_a_cause() -> None:
    inside = StackFrame(TORCH, 9, "f")
    found = seen(*(item(stack=(StackFrame(MAIN, line, "step"), inside)) for line in (12, 14, 12)))
    assert [(each.owner, each.hits) for each in found] == [
        (StackFrame(MAIN, 12, "step"), 2),
        (StackFrame(MAIN, 14, "step"), 1),
    ]
    through_library = [item(stack=(StackFrame(MAIN, line, "step"), StackFrame(LIBRARY, 7, "g"))) for line in (12, 14)]
    assert len(seen(*through_library)) == 1, "what a library does there is one thing to change"


def test_what_a_library_does_while_it_is_imported_is_only_worth_knowing() -> None:
    def given_up(*stack: StackFrame) -> Observation:
        code = StackFrame(LIBRARY, 5, "any")
        (found,) = seen(CALL, FrameSkipped(at=1.0, target=0, call=1, code=code, reason="generator", stack=stack))
        return found

    main, step = StackFrame(MAIN, 50, "<module>"), StackFrame(MAIN, 12, "step")
    importing = StackFrame("/env/lib/python3.11/site-packages/lib/__init__.py", 1, "<module>")
    assert given_up(main, step, importing).severity == "info"
    assert given_up(main, step, StackFrame(LIBRARY, 9, "call")).severity == "warning"
    assert given_up(main, step, StackFrame(MODEL, 1, "<module>")).severity == "warning"


def test_parts_of_one_call_are_one_step_of_the_way() -> None:
    parts = ("step", "torch_dynamo_resume_in_step_at_12", "torch_dynamo_resume_in_step_at_14", "step")
    way = tuple(StackFrame(MAIN, 12 + 2 * number, part) for number, part in enumerate(parts))
    (found,) = seen(item(stack=(StackFrame(MAIN, 40, "main"), *way)))
    assert [(frame.line, frame.function) for frame in found.stack] == [(40, "main"), (16, "step"), (18, "step")], (
        "a recursive call is another one"
    )


def test_what_recompiles_a_function_of_torchs_comes_from_outside() -> None:
    again = recompile(
        "tensor 'input' size mismatch at index 0. expected 2, actual 3", code=StackFrame(TORCH, 5, "forward")
    )
    assert [each.severity for each in seen(again)] == ["warning"], "nn.Linear, compiled on its own"


WHOLE = replace(
    CALL,
    number=1,
    function="Net",
    what="module",
    code=FORWARD,
    repeated=(RepeatedBlock(name="Block", count=12, path="layers"),),
)


STEPPED = end("9/0")
"""What else the process compiled."""


def test_a_model_of_equal_blocks_that_is_compiled_whole_is_told() -> None:
    (found,) = seen(WHOLE, STEPPED, end("0/0", FORWARD, target=1, seconds=3.0))
    assert (found.type, found.severity, found.line) == ("repeated-blocks", "info", 40)
    assert found.reason.startswith("`Net` holds 12 equal `Block`")
    assert "for block in self.layers" in found.advice
    assert found.compile_seconds == 3.0


def test_blocks_are_called_as_source_calls_them() -> None:
    deep = replace(WHOLE, repeated=(RepeatedBlock(name="Block", count=3, path="stages.1.blocks"),))
    (found,) = seen(deep, STEPPED, end("0/0", FORWARD, target=1))
    assert "for block in self.stages[1].blocks: block.compile()" in found.advice


def test_blocks_that_are_compiled_alone_are_not_told() -> None:
    block = StackFrame(MODEL, 5, "Block.forward")
    assert seen(WHOLE, STEPPED, end("0/0", FORWARD, target=1), end("1/0", block, target=1)) == ()


def test_a_model_that_was_never_called_is_not_told() -> None:
    assert seen(WHOLE) == ()


def test_an_array_under_inference_mode_fails_dynamos_own_check() -> None:
    keys = "expected DispatchKeySet(CPU, ADInplaceOrView), actual DispatchKeySet(CPU)"
    message = f"Guard failed on the same frame: 0/0: tensor '___from_numpy(audio)' dispatch key set mismatch. {keys}"
    error = CompileError(
        at=1.0, compile_id="0/0", code=STEP, error="AssertionError", message=message, suppressed=False, stack=()
    )
    (found,) = seen(error)
    assert found.advice.startswith("Pass a tensor (`torch.from_numpy(audio)`), or call it under `torch.no_grad()`")
    (other,) = seen(replace(error, message=message.replace("___from_numpy(audio)", "audio")))
    assert other.advice.startswith("Run it without torch.compile")


def test_a_view_under_an_inference_mode_of_compiled_code_fails_the_backend() -> None:
    message = "backend='inductor' raised:\nRuntimeError: Cannot set version_counter for inference tensor\n"
    error = CompileError(
        at=1.0, compile_id="0/0", code=STEP, error="BackendCompilerFailed", message=message, suppressed=False, stack=()
    )
    (found,) = seen(error)
    assert "`torch.no_grad()`" in found.advice
    assert "around the compiled call" in found.advice


def test_what_python_calls_of_a_line_says_nothing_of_the_line() -> None:
    """The key of `candidates.sort(key=lambda c: c[1])` is compiled alone where a break left the line to Python."""
    key = StackFrame(MODEL, 18, "Beam.forward.<locals>.<lambda>")
    lines = LinesTraced(at=1.0, path=MODEL, ranges=((3, 4), (17, 18)))
    assert read([session(end(code=key), lines)], owned).traced == {MODEL: {3, 4}}
    assert read([session(end(code=FORWARD), lines)], owned).traced == {MODEL: {3, 4, 17, 18}}
    asked_for = replace(CALL, code=key)
    assert read([session(asked_for, end(code=key), lines)], owned).traced == {MODEL: {3, 4, 17, 18}}
