from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.causes import causes
from compilelint.report.stack import StackFrame
from tests.report.make import observation

COUNTER = observation(
    type="recompile", gb_id=None, title="self.calls == 0", variable="self.calls", function="Net.forward"
)


def test_a_limit_comes_before_the_recompiles_that_led_to_it() -> None:
    limit = observation(type="recompile-limit", severity="error", variable="self.calls", function="Net.forward", hits=1)
    elsewhere = observation(
        type="recompile", title="self.calls == 3", variable="self.calls", line=30, function="Net.head"
    )
    (cause,) = causes([COUNTER, elsewhere, limit])
    assert cause.main is limit
    assert cause.others == (COUNTER, elsewhere)
    assert round(cause.compile_seconds, 3) == 0.37


def test_a_limit_of_which_one_recompile_was_predicted_is_no_surprise() -> None:
    limit = observation(
        type="recompile-limit", severity="error", variable="self.calls", function="Net.forward", verdict="runtime-only"
    )
    (cause,) = causes([replace(COUNTER, finding="a" * 16), replace(limit, finding=None)])
    assert not cause.is_unforeseen
    (cause,) = causes([replace(COUNTER, finding=None), replace(limit, finding=None)])
    assert cause.is_unforeseen


def test_attributes_of_two_classes_are_two_causes() -> None:
    other = observation(type="recompile", title="self.calls == 0", variable="self.calls", function="Other.forward")
    assert len(causes([COUNTER, other])) == 2


def test_arguments_of_two_functions_are_two_causes() -> None:
    one = observation(type="recompile", title="n == 1", variable="n", function="f")
    two = observation(type="recompile", title="n == 1", variable="n", function="g")
    assert len(causes([one, two])) == 2


def test_one_change_of_size_is_one_cause_wherever_it_recompiles() -> None:
    first = observation(type="recompile", title="x", variable="x", function="f", change="size 8 5", hits=1)
    second = observation(type="recompile", title="y", variable="y", function="g", change="size 8 5", hits=9)
    (cause,) = causes([first, second])
    assert cause.main is first, "the call where it came in"


def test_a_function_that_met_more_sizes_has_the_same_cause() -> None:
    first = observation(type="recompile", title="x", variable="x", change="size 3 4")
    more = replace(first, title="y", variable="y", change="size 3 4 5")
    others = [replace(more, title="z", change="size 3 5"), replace(more, title="w", change="state grad_mode")]
    assert [len(cause.others) for cause in causes([first, more, *others])] == [1, 0, 0]
    apart = replace(more, compiled_by="train.py:50 torch.compile(Other)")
    assert len(causes([first, apart])) == 2
    assert len(causes([first, replace(first, title="y", compiled_by=apart.compiled_by)])) == 1


def test_a_value_that_a_break_hands_on_belongs_to_the_break() -> None:
    item = observation()
    handed = observation(type="recompile", gb_id=None, title="___stack0 == 3", compile_seconds=9.0)
    (cause,) = causes([handed, item])
    assert cause.main is item
    assert cause.others == (handed,)


def test_a_size_that_a_break_hands_on_belongs_to_the_break() -> None:
    handed = observation(type="recompile", gb_id=None, title="'___stack0' size mismatch", change="size 4 7")
    (cause,) = causes([observation(), handed])
    assert cause.others == (handed,)


def test_a_size_that_came_in_belongs_to_no_break() -> None:
    given = observation(type="recompile", gb_id=None, line=1, title="x size", variable="x", change="size 4 7")
    handed = observation(type="recompile", gb_id=None, title="'___stack0' size mismatch", change="size 4 7")
    assert [len(cause.others) for cause in causes([given, observation(), handed])] == [1, 0]


def test_what_drops_a_function_comes_before_what_follows_from_that() -> None:
    drop = observation(
        line=5, title="b", compile_seconds=0.1, frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),)
    )
    follows = observation(
        type="recompile-limit",
        severity="error",
        path="b.py",
        function="pool",
        variable="x",
        stack=(StackFrame("a.py", 9, "forward"), StackFrame("b.py", 1, "pool")),
        inside=0,
    )
    error = observation(line=1, type="compile-error", severity="error", title="d", compile_seconds=99.0)
    ordered = causes([follows, drop, error])
    assert [(each.main, each.after) for each in ordered] == [(error, None), (drop, None), (follows, drop)]


def test_a_function_that_was_dropped_itself_is_not_below_itself() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    again = observation(
        type="recompile",
        path="a.py",
        function="Net.forward",
        variable="x",
        title="x",
        stack=(StackFrame("a.py", 9, "forward"),),
        inside=0,
    )
    assert [each.after for each in causes([drop, again])] == [None, None]


def test_what_calls_the_compiled_call_is_not_why_it_is_compiled() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    stack = (StackFrame("a.py", 9, "Net.forward"), StackFrame("b.py", 1, "Block.forward"))
    block = observation(type="recompile", path="b.py", function="Block.forward", variable="x", stack=stack)
    assert [each.after for each in causes([drop, replace(block, inside=0)])] == [None, drop]
    assert [each.after for each in causes([drop, replace(block, inside=1)])] == [None, None]


def test_what_a_compiled_function_calls_is_no_way_to_it() -> None:
    """Elsewhere Dynamo dropped the model that this one calls as a part of its own graph."""
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 30, "Net.forward"),))
    below = (StackFrame("a.py", 3, "decode"), StackFrame("a.py", 33, "forward"), StackFrame("a.py", 9, "forward"))
    decode = observation(
        type="recompile", path="a.py", title="c", line=2, function="Engine.decode", inside=0, stack=below
    )
    block = observation(
        type="recompile", path="a.py", title="d", line=8, function="Block.forward",
        inside=0, stack=(StackFrame("a.py", 33, "Net.forward"), StackFrame("a.py", 9, "forward")),
    )  # fmt: skip
    assert [each.after for each in causes([drop, decode, block])] == [None, None, drop]


def test_functions_of_one_name_are_told_apart_by_their_lines() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 50, "second.<locals>.wrapper"),))
    stack = (StackFrame("a.py", 9, "wrapper"), StackFrame("b.py", 1, "pool"))
    pool = observation(type="recompile", path="b.py", function="pool", variable="x", stack=stack, inside=0)
    assert [each.after for each in causes([drop, pool])] == [None, None]


def test_a_part_after_a_line_does_not_call_what_the_line_called() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 9, "Net.forward (after line 9)"),))
    stack = (StackFrame("a.py", 9, "Net.forward"), StackFrame("b.py", 1, "pool"))
    pool = observation(type="recompile", path="b.py", function="pool", variable="x", stack=stack, inside=0)
    later = replace(pool, stack=(StackFrame("a.py", 10, "Net.forward"), *stack[1:]))
    assert [each.after for each in causes([drop, pool])] == [None, None]
    assert [each.after for each in causes([drop, later])] == [None, drop]


def test_what_a_break_left_to_python_is_compiled_on_its_own_since() -> None:
    """`Net.forward` calls the layer in lines 23 and 24, and goes on after each: the layer breaks inside."""
    calls = (StackFrame("a.py", 23, "Net.forward"), StackFrame("a.py", 24, "Net.forward"))
    broken = observation(path="a.py", line=12, title="b", stack=(calls[0], StackFrame("a.py", 12, "forward")), inside=0)
    again = observation(
        type="recompile",
        path="a.py",
        line=10,
        function="Layer.forward",
        variable="x",
        title="x",
        stack=(calls[1], StackFrame("a.py", 11, "forward")),
        inside=0,
    )
    hits = replace(broken, calls=(*calls, StackFrame("a.py", 12, "forward")))
    assert [each.after for each in causes([hits, again])] == [None, hits]
    assert [each.after for each in causes([broken, again])] == [None, None], "another call of it"
    compiled = replace(again, inside=1)
    assert [each.after for each in causes([hits, compiled])] == [None, None], "asked for by the program"
    skipped = replace(again, type="frame-skipped", variable="")
    assert [each.after for each in causes([hits, skipped])] == [None, hits]
    part = replace(again, function="Layer.forward (after line 12)")
    assert [each.after for each in causes([hits, part])] == [None, None], "its words say so"
    itself = replace(again, function="Net.forward", line=22, stack=(calls[1],))
    assert [each.after for each in causes([hits, itself])] == [None, None], "a part of the compiled function"


APIS = StackFrame("/site-packages/torch/_functorch/apis.py", 459, "wrapper")
LEFT_OUT = observation(
    type="frame-skipped", gb_id=None, line=2, function="loss", title="Unsupported functorch tracing attempt"
)


def test_what_a_transform_calls_is_left_out_by_the_break_in_it() -> None:
    broken = observation(inside=1, stack=(StackFrame("train.py", 30, "<module>"), APIS, StackFrame("m.py", 9, "loss")))
    (cause,) = causes([LEFT_OUT, replace(LEFT_OUT, line=5), broken])
    assert cause.main is broken
    assert len(cause.others) == 2
    elsewhere = replace(LEFT_OUT, compiled_by="train.py:70 torch.compile(other)")
    assert len(causes([broken, elsewhere])) == 2


def test_what_is_compiled_and_called_in_a_transform_has_no_break_to_follow_from() -> None:
    """`torch.vmap(compiled)`: the transform is around the compiled call, or there is none where the graph broke."""
    outside = observation(inside=2, stack=(StackFrame("train.py", 30, "<module>"), APIS, StackFrame("m.py", 9, "loss")))
    assert [len(causes([LEFT_OUT, broken])) for broken in (outside, observation())] == [2, 2]


def test_the_same_break_at_another_line_leaves_that_call_to_python() -> None:
    step = "/venv/site-packages/torch/optim/optimizer.py"
    lines = [StackFrame("a.py", line, "update") for line in (30, 60)]
    first, second = (
        observation(path=step, line=79, title="t", context="c", stack=(each, StackFrame(step, 79, "break")), inside=0)
        for each in lines
    )
    again = observation(
        type="recompile", path=step, line=509, function="wrapper", title="x", stack=(lines[1],), inside=0
    )
    (one, follows) = causes([first, second, again])
    assert (one.main, one.others) == (first, (second,))
    assert follows.after is first


def test_methods_of_two_classes_are_told_apart() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward (after line 5)"),))
    block = observation(
        type="recompile",
        path="a.py",
        function="Block.forward (after line 40)",
        variable="x",
        title="x",
        stack=(StackFrame("a.py", 9, "Net.forward"), StackFrame("a.py", 40, "Block.forward")),
        inside=0,
    )
    bare = replace(block, line=41, title="y", variable="y", stack=(StackFrame("a.py", 9, "forward"),))
    assert [each.after for each in causes([drop, block, bare])] == [None, drop, None]


def test_a_size_that_a_break_hands_on_takes_along_what_it_changes_later() -> None:
    handed = observation(type="recompile", gb_id=None, title="___stack0 == 24", change="size 24 23")
    later = observation(type="recompile", gb_id=None, line=71, title="x", variable="x", change="size 24 23")
    (cause,) = causes([observation(), handed, later])
    assert cause.others == (handed, later)


def test_what_a_caller_hands_on_belongs_to_the_break_in_what_it_calls() -> None:
    stack = (StackFrame("main.py", 3, "main"), StackFrame("net.py", 12, "forward"), StackFrame("utils.py", 32, "count"))
    inner = observation(path="utils.py", line=32, stack=stack, inside=1)
    handed = observation(type="recompile", gb_id=None, path="net.py", line=12, title="___stack0 == 12")
    (cause,) = causes([inner, handed])
    assert cause.others == (handed,)
    of_main = replace(handed, path="main.py", line=3)
    assert len(causes([inner, of_main])) == 2
    nearer = observation(path="net.py", line=12, title="another", stack=stack[:2], inside=1)
    of_break = {cause.main.title: cause.others for cause in causes([inner, nearer, handed])}
    assert of_break == {nearer.title: (handed,), inner.title: ()}


def test_a_value_handed_on_belongs_to_its_break_on_any_way_there() -> None:
    way, other = StackFrame("gat.py", 3, "forward"), StackFrame("gcn.py", 5, "forward")
    broken = observation(path="utils.py", line=32, stack=(way,), inside=0, calls=(way, other))
    handed = observation(type="recompile", gb_id=None, path="gcn.py", line=5, title="___stack0 == 24", stack=())
    (cause,) = causes([broken, handed])
    assert cause.others == (handed,)


def test_breaks_of_one_line_that_one_rule_predicted_are_one_cause() -> None:
    first = observation(finding="f" * 16)
    dropping = replace(first, title="another", frame_dropped=True, dropped=(StackFrame("a.py", 3, "f"),))
    (cause,) = causes([first, dropping])
    assert (cause.main, cause.hits) == (dropping, first.hits * 2)


def test_what_a_module_holds_is_one_cause_whoever_reads_it() -> None:
    read = observation(
        type="recompile", title="len(G['__import_lib'].seen) != 1", variable="lib.seen", function="a", path="a.py"
    )
    (cause,) = causes([read, replace(read, function="b", path="b.py")])
    assert len(cause.others) == 1


def test_equal_blocks_of_one_model_are_one_cause_and_its_seconds_count_once() -> None:
    blocks = observation(type="repeated-blocks", title="3 Block in a", severity="info", compile_seconds=5.0)
    (cause,) = causes([blocks, replace(blocks, title="4 Block in b")])
    assert (len(cause.others), cause.compile_seconds) == (1, 5.0)


def test_breaks_inside_torch_count_with_the_line_of_the_users_that_a_rule_predicted_them_for() -> None:
    called = StackFrame("src/model.py", 12, "forward")
    step = "/env/lib/python3.11/site-packages/torch/optim/optimizer.py"
    at_call = observation(title="skipped", finding="a" * 16)
    inside = observation(path=step, line=79, title="graph_break()", finding="a" * 16, owner=called)
    (cause,) = causes([inside, at_call])
    assert cause.main is at_call
    assert len(causes([replace(inside, finding="b" * 16), at_call])) == 2
    assert len(causes([replace(inside, finding=None), replace(at_call, finding=None)])) == 2


def test_breaks_of_a_package_that_one_finding_predicted_are_one_cause() -> None:
    """A solver breaks at five of its lines, and one change of the call mends them all."""
    called = StackFrame("src/model.py", 12, "forward")
    solver = "/env/lib/python3.11/site-packages/torchdiffeq/_impl/misc.py"
    breaks = [observation(path=solver, line=line, finding="a" * 16, owner=called) for line in (80, 107, 383)]
    assert len(causes(breaks)) == 1
    assert len(causes([replace(each, finding=None) for each in breaks])) == 3, "each is a place to mend"


def test_breaks_of_two_types_on_one_line_are_two_causes() -> None:
    assert len(causes([observation(), observation(title="Failed to trace builtin operator")])) == 2


def test_what_has_nothing_in_common_stands_alone() -> None:
    odd = observation(type="recompile", title="odd", variable="")
    assert len(causes([odd, odd, observation(type="frame-skipped")])) == 3


def test_the_most_expensive_cause_is_the_first() -> None:
    cheap = observation(line=1, compile_seconds=0.1, title="a")
    dear = observation(line=2, compile_seconds=5.0, title="b")
    dropped = observation(line=3, compile_seconds=0.0, frame_dropped=True, title="c")
    error = observation(line=4, type="compile-error", severity="error", title="d")
    accepted = observation(line=5, compile_seconds=50.0, accepted=True, title="e")
    ordered = causes([accepted, cheap, dear, dropped, error])
    assert [cause.main.line for cause in ordered] == [4, 3, 2, 1, 5]


def test_a_comprehension_that_is_dropped_is_no_more_than_a_piece() -> None:
    dear = observation(line=2, compile_seconds=5.0, title="b")
    piece = observation(
        line=3, compile_seconds=0.1, frame_dropped=True, dropped=(StackFrame("a.py", 3, "f.<locals>.<listcomp>"),)
    )
    whole = replace(piece, line=4, title="c", dropped=(*piece.dropped, StackFrame("a.py", 1, "f")))
    assert [cause.main.line for cause in causes([dear, piece, whole])] == [4, 2, 3]


def test_items_of_one_attribute_are_one_cause() -> None:
    layers = [
        observation(type="recompile", function="Block.forward", title=f"cache.is_updated[{n}]", variable=variable)
        for n, variable in enumerate(["cache.is_updated[1]", "cache.is_updated[12]", "args[0]", "args[1]"])
    ]
    assert [len(cause.others) for cause in causes(layers)] == [1, 0, 0]
    grads = [replace(layers[0], variable=f"self.groups[0]['params'][{n}].grad", title=f"{n}") for n in (14, 18)]
    assert len(causes(grads)) == 1


def test_of_one_change_the_users_own_function_is_shown() -> None:
    wrapper = observation(
        type="recompile",
        path="torch/a.py",
        title="a",
        variable="a",
        change="size 8 5",
        owner=StackFrame("a.py", 1, "main"),
    )
    own = observation(
        type="recompile", path="a.py", title="x", variable="x", change="size 8 5", owner=StackFrame("a.py", 9, "f")
    )
    (cause,) = causes([wrapper, own])
    assert cause.main is own


def test_sizes_that_led_to_a_limit_belong_to_it() -> None:
    limit = observation(type="recompile-limit", severity="error", variable="x", function="f")
    sizes = observation(type="recompile", variable="x", function="f", title="x", change="size 2 3 4")
    (cause,) = causes([sizes, limit])
    assert cause.main is limit


def test_a_limit_without_a_variable_takes_nothing_away_from_others() -> None:
    nameless = observation(type="recompile-limit", severity="error", variable="", title="odd")
    handed = observation(type="recompile", gb_id=None, title="___stack0 == 3")
    assert [len(cause.others) for cause in causes([nameless, observation(), handed])] == [0, 1]


def test_what_else_a_code_at_its_limit_was_recompiled_for_is_beside_it() -> None:
    limit = observation(
        type="recompile-limit", severity="error", variable="", title="GLOBAL_STATE changed", function="f"
    )
    layout = observation(type="recompile", variable="x", function="f", title="x stride", hits=3)
    elsewhere = observation(type="recompile", variable="x", function="g", title="x stride", hits=5)
    found = {each.main.type: each for each in causes([layout, limit]) if each.main.function == "f"}
    assert (found["recompile-limit"].beside, found["recompile"].beside) == ((layout,), ())
    assert not any(each.beside for each in causes([elsewhere, limit]))


def test_functions_of_torch_that_one_line_leads_to_were_compiled_again_for_one_thing() -> None:
    owner = StackFrame("train.py", 20, "update")
    step = observation(
        type="recompile",
        path="/env/site-packages/torch/optim/adam.py",
        line=214,
        function="Adam.step",
        title="___check_obj_id(self, …), type=<class 'torch.optim.adam.Adam'>",
        variable="self",
        owner=owner,
    )
    around = replace(
        step,
        path="/env/site-packages/torch/optim/optimizer.py",
        line=509,
        function="Optimizer.profile_hook_step.<locals>.wrapper",
        title=step.title.replace("self", "args[0]"),
        variable="args[0]",
    )
    (cause,) = causes([step, around])
    assert (cause.main, cause.others) == (step, (around,))
    assert len(causes([step, replace(around, owner=replace(owner, line=30))])) == 2
    rate = replace(around, title="args[0].param_groups[0]['lr'] == 0.1", variable="args[0].param_groups[0]['lr']")
    assert len(causes([step, rate])) == 2


def test_the_parameters_of_an_optimizer_are_one_thing_to_functions_of_torch() -> None:
    gradient = observation(
        type="recompile",
        path="/env/site-packages/torch/optim/sgd.py",
        line=105,
        function="SGD.step",
        title="self.param_groups[0]['params'][14].grad is not None",
        variable="self.param_groups[0]['params'][14].grad",
        owner=StackFrame("train.py", 98, "train_step"),
    )
    other = gradient.variable.replace("14", "18")
    another = replace(gradient, title=f"{other} is not None", variable=other)
    assert len(causes([gradient, another])) == 1


def test_a_generator_that_python_runs_follows_from_what_dropped_its_function() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("src/model.py", 10, "forward"),))
    left_out = observation(
        type="frame-skipped", line=14, function="forward.<locals>.<genexpr>", title="Attempt to trace generator"
    )
    assert [each.after for each in causes([drop, left_out])] == [None, drop]


def test_what_an_object_on_the_stack_keeps_is_not_handed_on_by_the_break() -> None:
    kept = replace(COUNTER, line=observation().line, path=observation().path, title="___stack0.calls == 0")
    assert len(causes([observation(), kept])) == 2


def test_a_comprehension_follows_from_the_break_that_dropped_the_function_around_it() -> None:
    """Dynamo comes in where its iterator is made already."""
    drop = observation(line=5, title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    inside = StackFrame("a.py", 6, "Net.forward.<locals>.<listcomp>")
    after = observation(line=6, title="Missing tp_iternext", frame=inside, verdict="runtime-only", finding=None)
    assert [each.after for each in causes([drop, after])] == [None, drop]
    assert not causes([replace(drop, finding="a" * 16), after])[1].is_unforeseen
    elsewhere = replace(drop, hits=9, dropped=(StackFrame("a.py", 9, "run"),))
    assert [each.after for each in causes([elsewhere, drop, after])] == [None, elsewhere], "two breaks of one line"
    for other in (
        replace(after, title="Unsupported Tensor.item() call"),
        replace(after, frame=StackFrame("a.py", 6, "Net.other.<locals>.<listcomp>")),
        replace(after, frame=StackFrame("a.py", 6, "Net.forward")),
    ):
        assert {each.after for each in causes([drop, other])} == {None}


SKIPPED = "Attempted to call function marked as skipped"


@pytest.mark.parametrize(
    ("title", "context", "follows"),
    [
        (SKIPPED, "module: <unknown module>, qualname: Tensor.reshape, skip reason: …", True),
        (SKIPPED, "module: builtins, qualname: print, skip reason: …", False),
        ("Reconstruction failure", "LambdaVariable()", True),
    ],
)
def test_a_break_may_follow_from_the_one_on_its_line(title: str, context: str, follows: bool) -> None:
    item = observation(finding="a" * 16)
    line, owner = item.owner.line if item.owner else 0, item.owner
    again = observation(line=line, owner=owner, title=title, context=context, verdict="runtime-only", finding=None)
    found = causes([item, again])
    assert [each.after for each in found] == [None, item if follows else None]
    assert found[1].is_unforeseen is not follows
    assert [each.after for each in causes([again, item])] == [None, None]
    assert [each.after for each in causes([item, replace(again, line=line + 1)])] == [None, None]


def test_a_break_among_arguments_may_be_in_what_they_call() -> None:
    """`self.weight.data.copy_(self.fit(x, y))`, where `fit` breaks."""
    call = StackFrame("a.py", 98, "update_grid")
    fit = observation(line=59, stack=(call, StackFrame("a.py", 59, "fit")), inside=0)
    context = "module: <unknown module>, qualname: Tensor.copy_, skip reason: …"
    copy = observation(path="a.py", line=98, owner=call, title=SKIPPED, context=context)
    assert [each.after for each in causes([fit, copy])] == [None, fit]
    assert [each.after for each in causes([fit, replace(copy, line=97)])] == [None, None]


def test_what_python_calls_where_the_graph_breaks_fails_to_compile_for_that() -> None:
    call = StackFrame("a.py", 9, "forward")
    apply = observation(owner=call, finding="a" * 16)
    error = observation(
        type="compile-error", severity="error", path="b.py", line=6, title="InternalTorchDynamoError",
        frame=StackFrame("b.py", 5, "Square.forward"), stack=(call, StackFrame("b.py", 6, "forward")), inside=0,
        verdict="runtime-only", finding=None,
    )  # fmt: skip
    led = [(each.main, each.after) for each in causes([apply, error])]
    assert led == [(apply, None), (error, apply)]
    for other in (
        replace(error, inside=1),
        replace(error, frame=StackFrame("b.py", 5, "Cube.backward")),
        replace(error, stack=(replace(call, line=8), error.stack[1])),
    ):
        assert {each.after for each in causes([apply, other])} == {None}


GENERATOR = "a generator that was made outside of the compiled code, as `model.parameters()` is one, is gone through"
UNFINISHED = (
    "a generator, as `model.parameters()` or `(… for …)` is one, is not gone through yet where the graph breaks"
)


@pytest.mark.parametrize(("reason", "follows"), [(GENERATOR, True), (UNFINISHED, True), ("`print` is called", False)])
def test_a_generator_that_python_hands_on_follows_from_what_dropped_its_maker(reason: str, follows: bool) -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    stack = (StackFrame("a.py", 9, "forward"), StackFrame("b.py", 1, "checkpoint"))
    broken = observation(path="b.py", function="checkpoint", title="g", reason=reason, stack=stack, inside=0)
    assert [each.after for each in causes([drop, broken])] == [None, drop if follows else None]


@pytest.mark.parametrize(("package", "follows"), [("opt_einsum", True), ("networkx", False)])
def test_what_torchs_operators_call_breaks_only_where_the_operator_was_left_to_python(
    package: str, follows: bool
) -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    code = StackFrame(f"/env/lib/python3.11/site-packages/{package}/contract.py", 170, "contract_path")
    stack = (StackFrame("a.py", 9, "forward"), replace(code, line=357))
    broken = observation(path=code.path, function=code.function, title="g", frame=code, stack=stack, inside=0)
    assert [each.after for each in causes([drop, broken])] == [None, drop if follows else None]


def test_a_break_does_not_follow_from_itself_nor_from_what_came_after_it() -> None:
    stack = (StackFrame("a.py", 9, "forward"), StackFrame("b.py", 1, "members"))
    broken = observation(
        path="b.py", function="members", title="g", reason=UNFINISHED, stack=stack, inside=0,
        frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),),
    )  # fmt: skip
    later = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    assert {each.after for each in causes([broken, later])} == {None}


def test_a_change_is_shown_where_no_break_explains_it() -> None:
    drop = observation(title="b", frame_dropped=True, dropped=(StackFrame("a.py", 3, "Net.forward"),))
    block = observation(type="recompile", path="b.py", function="f", title="x", change="size 8 5", inside=0,
                        stack=(StackFrame("a.py", 9, "Net.forward"), StackFrame("b.py", 1, "f")))  # fmt: skip
    root = replace(block, path="a.py", function="Net.forward", stack=(StackFrame("a.py", 2, "Net.forward"),))
    assert [(each.main, each.after) for each in causes([drop, block, root])] == [(drop, None), (root, None)]
