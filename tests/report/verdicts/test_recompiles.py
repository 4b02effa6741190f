from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation
from tests.report.verdicts.ask import COUNTER, PATH, RECOMPILE, verdicts


def test_a_recompile_confirms_by_its_variable() -> None:
    assert verdicts([COUNTER], [RECOMPILE])[0] == ["confirmed"]


def test_what_an_older_version_did_not_fit_for_is_a_cause_too() -> None:
    two = replace(RECOMPILE, variable="mode", other_variables=("self.calls",))
    assert verdicts([COUNTER], [two]) == (["confirmed"], [COUNTER.fingerprint])


def test_a_finding_that_is_what_changed_stands_for_no_recompile_for_something_else() -> None:
    other = replace(RECOMPILE, variable="mode", title="mode == 1", other_variables=("self.calls",))
    assert verdicts([COUNTER], [other, RECOMPILE]) == (["confirmed"], [None, COUNTER.fingerprint])


def test_what_is_added_to_an_attribute_is_not_what_the_finding_is_about() -> None:
    source = "        self.seen += x.shape[0]"
    counter = replace(COUNTER, source_line=source, column=9, end_column=len(source) + 1)
    size = replace(RECOMPILE, variable="x", title="x", change="size 4 3")
    assert verdicts([counter], [size]) == ([None], [None])
    assert verdicts([counter], [replace(RECOMPILE, variable="self.seen")])[0] == ["confirmed"]


def test_of_a_variable_around_a_hook_the_place_that_uses_it_is_known() -> None:
    source = "        seen.append(out)"
    grows = replace(COUNTER, code="CL502", source_line=source, column=9, end_column=len(source) + 1, function="f.keep")
    cell = "self.l._forward_hooks[list(dict.keys(self.l._forward_hooks))[0]].__closure__[0].cell_contents"
    fuller = replace(RECOMPILE, variable=cell, title=f"not {cell}", reason="a variable was empty before")
    assert verdicts([grows], [fuller])[0] == ["confirmed"]
    elsewhere = replace(fuller, stack=(StackFrame(PATH, 11, "other"),))
    assert verdicts([grows], [elsewhere])[0] != ["confirmed"]


def test_an_argument_that_stands_beside_an_attribute_is_not_what_the_finding_is_about() -> None:
    source = "        if own.index % 2: x = x + 1"
    differs = replace(COUNTER, source_line=source, column=12, end_column=21)
    given = replace(RECOMPILE, variable="x", title="x", change="")
    assert verdicts([differs], [given]) == ([None], [None])
    assert verdicts([differs], [replace(given, variable="own.index")])[0] == ["confirmed"]


def test_another_object_is_not_what_a_change_of_its_attribute_is_about() -> None:
    source = "        p.grad.data += decay * p.data"
    counter = replace(COUNTER, source_line=source, column=9, end_column=len(source) + 1)
    reason = "argument `p` is another object of the same kind now (Parameter)"
    other = replace(RECOMPILE, variable="p", title="p", reason=reason)
    assert verdicts([counter], [other]) == ([None], [None])


def test_a_layer_that_differs_is_what_holds_the_number_that_did() -> None:
    source = "        return x + self.drop_path(x)"
    layer = replace(COUNTER, code="CL505", source_line=source, column=20, end_column=34)
    rate = replace(RECOMPILE, variable="self.drop_path.drop_prob")
    assert verdicts([layer], [rate])[0] == ["confirmed"]
    assert verdicts([layer], [replace(rate, variable="self.drop_path2.drop_prob")])[0] == [None]
    assert verdicts([replace(layer, code="CL502")], [rate])[0] == [None]


CALLED = replace(COUNTER, path="train.py", function="<module>", line=40, end_line=40, source_line="step(torch.rand(i))")

OF_CALL = replace(RECOMPILE, variable="x", inside=1, stack=(StackFrame("train.py", 40, "<module>"), *RECOMPILE.stack))


def test_a_recompile_confirms_what_is_said_of_the_call() -> None:
    assert verdicts([CALLED], [OF_CALL]) == (["confirmed"], [CALLED.fingerprint])
    below_torch = (OF_CALL.stack[0], StackFrame("/env/site-packages/torch/nn/module.py", 1, "_call"), *RECOMPILE.stack)
    assert verdicts([CALLED], [replace(OF_CALL, inside=2, stack=below_torch)])[0] == ["confirmed"]


def test_a_function_that_is_called_beside_sets_what_has_another_name_there() -> None:
    sets = replace(CALLED, code="CL513", line=39, end_line=39, source_line="schedule(net, i / 10)")
    rate = replace(OF_CALL, variable="self.drop.p", reason="`self.drop.p` is a Python float that changes: was 0.1")
    assert verdicts([sets], [rate])[0] == ["confirmed"]
    text = replace(rate, variable="self.active", reason="`self.active` is a Python str that changes: was 'a'")
    assert verdicts([replace(sets, code="CL506")], [text])[0] == ["confirmed"]
    assert verdicts([replace(sets, code="CL510")], [rate])[0] != ["confirmed"]
    assert verdicts([replace(sets, function="elsewhere")], [rate])[0] != ["confirmed"]
    assert verdicts([replace(sets, source_line="rates = schedule(net)")], [rate])[0] != ["confirmed"]
    assert verdicts([sets], [replace(rate, variable="x")])[0] != ["confirmed"]
    assert verdicts([sets], [replace(rate, reason="`self.drop.p` is another object now")])[0] != ["confirmed"]


def test_a_loop_sets_the_global_that_it_counts_by() -> None:
    """`for STEP in range(9):` around `step(x)`, which reads it."""
    source = "for STEP in range(9):"
    loop = replace(CALLED, code="CL512", line=39, end_line=39, source_line=source, column=5, end_column=9)
    changed = replace(OF_CALL, variable="STEP", reason="global `STEP` is a Python int that changes: was 0, now 1")
    assert verdicts([loop], [changed])[0] == ["confirmed"]
    assert verdicts([loop], [replace(changed, variable="range")])[0] != ["confirmed"]
    other = replace(loop, source_line="for i in range(STEP):", end_column=6)
    assert verdicts([other], [changed])[0] != ["confirmed"]


def test_a_recompile_confirms_what_is_said_of_the_compile_call() -> None:
    compiled = replace(CALLED, line=7, end_line=7)
    assert verdicts([compiled], [replace(OF_CALL, compiled_by="train.py:7 torch.compile(step)")])[0] == ["confirmed"]
    assert verdicts([compiled], [replace(OF_CALL, compiled_by="train.py:8 torch.compile(step)")])[0] == [None]


def test_what_a_callee_sets_confirms_though_the_guard_does_not_say_where_it_is_used() -> None:
    """`self.grids[k] = grid` in `Head.place`, which `Net.forward` calls: of tensors Dynamo names only the attribute."""
    source = "            self.grids[k] = grid"
    fill = replace(
        COUNTER,
        code="CL520",
        path="head.py",
        function="Head.place",
        source_line=source,
        column=13,
        end_column=len(source) + 1,
        reached_from=("train.py:7 torch.compile(Net())", "Net.forward", "Head.forward", "Head.place"),
    )
    grown = replace(RECOMPILE, function="Net.forward", variable="self.head.grids[0]", change="")
    assert verdicts([fill], [grown]) == (["confirmed"], [fill.fingerprint])
    assert verdicts([fill], [replace(grown, variable="grids")])[0] != ["confirmed"]
    assert verdicts([fill], [replace(grown, function="Other.forward")])[0] != ["confirmed"]
    read = "            y = self.grids[k]"
    assert verdicts([replace(fill, source_line=read, end_column=len(read) + 1)], [grown])[0] != ["confirmed"]


def test_what_is_set_may_stand_on_a_further_line_of_the_finding() -> None:
    """`self.register_buffer(`, and the name of the buffer below."""
    source = "        self.register_buffer("
    fill = replace(
        COUNTER,
        code="CL520",
        end_line=COUNTER.line + 2,
        source_line=source,
        column=9,
        message='`self.register_buffer( "index", torch.tensor(rows),…` runs in the first call only',
    )
    made = replace(RECOMPILE, variable="self.index", reason="`self.index` was missing before, and is there now")
    assert verdicts([fill], [made]) == (["confirmed"], [fill.fingerprint])
    assert verdicts([fill], [replace(made, variable="self.scale")])[0] != ["confirmed"]


def test_an_argument_of_two_forms_is_not_shown_by_another_argument_of_the_call() -> None:
    source = "out = step(first=i == 0, points=given)"
    flag = replace(CALLED, code="CL519", source_line=source, column=18, end_column=24)
    points = replace(flag, column=33, end_column=38, fingerprint="e" * 16)
    missing = replace(OF_CALL, variable="points", change="")
    assert verdicts([flag, points], [missing]) == ([None, "confirmed"], [points.fingerprint])
    assert verdicts([flag], [replace(missing, variable="kwargs['first']")])[0] == ["confirmed"]
    assert verdicts([flag], [replace(missing, variable="index", other_variables=("first",))])[0] == ["confirmed"]
    unnamed = "out = step(i == 0, given)"
    positional = replace(flag, source_line=unnamed, column=12, end_column=18)
    assert verdicts([positional], [missing])[0] == ["confirmed"]
    assert verdicts([positional], [replace(missing, variable="index", change="size 4 6")])[0] == [None]
    gradient = replace(missing, variable="index", reason="argument `index` requires a gradient now, and did not before")
    assert verdicts([positional], [gradient])[0] == [None]


def test_a_rate_that_changes_is_not_shown_by_the_state_that_the_first_step_fills() -> None:
    compiled = replace(CALLED, code="CL516", line=7, end_line=7, source_line="step = torch.compile(opt.step)")
    of_step = replace(OF_CALL, compiled_by="train.py:7 torch.compile(step)")
    assert verdicts([compiled], [replace(of_step, variable="self.state[…]")])[0] == [None]
    assert verdicts([compiled], [replace(of_step, variable="self.param_groups[0]['lr']")])[0] == ["confirmed"]


def test_a_smaller_batch_confirms_what_is_said_of_the_loader() -> None:
    text = "loader = DataLoader(data, batch_size=8)"
    loader = finding(
        path="train.py", line=3, end_line=3, effect="recompile", source_line=text, column=10, end_column=len(text) + 1
    )
    smaller = observation(
        type="recompile", reason="argument `x` dimension 0 was 8, now 4", change="size 8 4", variable="x"
    )
    assert verdicts([loader], [smaller])[0] == ["confirmed"]
    larger = replace(smaller, reason="argument `x` dimension 0 was 4, now 8", change="size 4 8")
    assert verdicts([loader], [larger])[0] != ["confirmed"]
    longer = replace(smaller, reason="argument `x` dimension 1 was 8, now 4")
    assert verdicts([loader], [longer])[0] != ["confirmed"]
    assert verdicts([replace(loader, path="data.py")], [smaller])[0] != ["confirmed"], "of another program, perhaps"
    other = replace(loader, source_line="model = torch.compile(Net())                ")
    assert verdicts([other], [smaller])[0] != ["confirmed"]


def test_what_another_finding_explains_confirms_nothing_at_the_call() -> None:
    counter = replace(COUNTER, fingerprint="c" * 16)
    both = replace(OF_CALL, variable="self.calls")
    assert verdicts([CALLED, counter], [both]) == ([None, "confirmed"], ["c" * 16])


def test_a_changed_mode_confirms_what_changes_it_around_the_call() -> None:
    source = "with torch.autocast('cpu', enabled=i > 0):"
    around = replace(CALLED, line=39, end_line=39, source_line=source, column=1, end_column=len(source))
    mode = replace(OF_CALL, variable="", change="state autocast(cpu)_enabled")
    assert verdicts([around], [mode])[0] == ["confirmed"]
    assert verdicts([around], [replace(mode, change="state grad_mode")])[0] == [None]


SETS = replace(CALLED, line=38, end_line=38, column=1)


def test_a_variable_of_a_caller_is_another_one_of_that_name() -> None:
    source = "p.requires_grad_(step % 2 == 0)"
    decides = replace(SETS, code="CL513", source_line=source, end_column=len(source) + 1)
    given = replace(OF_CALL, variable="step", title="step == 0")
    assert verdicts([decides], [given])[1] == [None]
    set_by_it = replace(decides, source_line="net.scale = step / 10", end_column=22)
    assert verdicts([set_by_it], [given])[1] == [None]
    assert verdicts([set_by_it], [replace(given, variable="self.scale")])[0] == ["confirmed"]
    assert verdicts([replace(decides, source_line="step += 1", end_column=10)], [given])[0] == ["confirmed"]
    loop = replace(decides, source_line="for step in range(4): net(x, [0] * step)", end_column=40)
    assert verdicts([loop], [given])[1] == [None]
    assert verdicts([loop], [replace(given, variable="self.step")])[1] == [None], "an attribute is no variable"


def test_of_two_findings_the_one_about_what_changed_speaks() -> None:
    two = replace(RECOMPILE, variable="self.mode", other_variables=("self.calls",))
    mode = replace(COUNTER, source_line="        if self.mode == 1:", fingerprint="b" * 16)
    assert verdicts([COUNTER, mode], [two]) == (["confirmed", "confirmed"], ["b" * 16])


def test_of_two_findings_the_one_that_sets_it_inside_speaks() -> None:
    outer = replace(SETS, code="CL506", source_line="net.scale = step", end_column=17)
    inner = replace(outer, source_line="net.inner.scale = step", end_column=23, fingerprint="b" * 16)
    of_inner = replace(OF_CALL, variable="self.inner.scale", reason="`self.inner.scale` is a Python int that changes")
    assert verdicts([outer, inner], [of_inner])[1] == ["b" * 16]
    assert verdicts([outer, inner], [replace(of_inner, variable="self.scale")])[1] == [outer.fingerprint]


@pytest.mark.parametrize(
    ("reason", "change"), [("argument `y` requires a gradient now, and did not before", ""), ("y", "size 4 3")]
)
def test_what_a_table_is_filled_from_is_not_what_is_filled(reason: str, change: str) -> None:
    source = "        basis[key] = torch.ones(3, y.shape[-1])"
    fill = replace(COUNTER, code="CL520", source_line=source, column=9, end_column=len(source) + 1)
    given = replace(RECOMPILE, variable="y", title="y", reason=reason, change=change)
    assert verdicts([fill], [given]) == ([None], [None])
    assert verdicts([fill], [replace(RECOMPILE, variable="basis", title="basis")])[0] == ["confirmed"]


def test_what_needs_gradients_confirms_what_sets_it_and_nothing_else_does() -> None:
    source = "p.requires_grad_(step % 2 == 0)"
    toggles = replace(SETS, code="CL515", source_line=source, end_column=len(source) + 1)
    seen = replace(OF_CALL, variable="self.weight", reason="`self.weight` requires no gradient now, and did before")
    assert verdicts([toggles], [seen]) == (["confirmed"], [toggles.fingerprint])
    assert verdicts([toggles], [replace(seen, reason="argument `step` was 1, now 2")])[1] == [None]
    elsewhere = (StackFrame("other.py", 40, "<module>"), *RECOMPILE.stack)
    assert verdicts([toggles], [replace(seen, stack=elsewhere)])[1] == [None]


def test_a_setting_at_the_call_is_confirmed_by_a_mode_only() -> None:
    source = "with torch.no_grad(): step(x)"
    around = replace(CALLED, code="CL514", source_line=source, column=6, end_column=21)
    assert verdicts([around], [replace(OF_CALL, variable="SCALE", title="G['SCALE'] == 1.0")])[1] == [None]
    assert verdicts([around], [replace(OF_CALL, variable="", change="state grad_mode")])[0] == ["confirmed"]


def test_another_attribute_of_the_same_object_is_another_variable() -> None:
    source = COUNTER.source_line.replace("self.", "net.")
    counter = replace(COUNTER, source_line=source)
    same = replace(RECOMPILE, variable=RECOMPILE.variable.replace("self.", "net."))
    assert verdicts([counter], [same])[0] == ["confirmed"]
    assert verdicts([counter], [replace(same, variable="net.scale")])[0] == [None]


def test_the_size_of_what_a_call_is_given_is_not_what_a_finding_is_about() -> None:
    source = "        self.calls.append(x.mean())"
    grows = replace(COUNTER, source_line=source, column=9, end_column=len(source) + 1)
    size = replace(RECOMPILE, variable="x", title="x", change="size 8 6")
    assert verdicts([grows], [size])[1] == [None]
    assert verdicts([grows], [RECOMPILE])[0] == ["confirmed"]


def test_a_recompile_of_another_file_confirms_nothing() -> None:
    other = replace(RECOMPILE, path="a.py", stack=(StackFrame("a.py", 20, "forward"),), owner=None)
    assert verdicts([COUNTER], [other])[1] == [None]


LOOP = finding(
    code="CL522",
    effect="recompile",
    gb_ids=(),
    line=20,
    end_line=20,
    source_line="        for t in range(seq_len):",
    function="Net.step",
    reached_from=("torch.compile(net)", "Net.forward (inside a `for` loop)", "Net.step"),
)
LENGTHS = observation(
    type="recompile",
    line=10,
    gb_id=None,
    function="Net.forward",
    variable="x",
    change="size 4 6 8",
    values=("4", "6", "8"),
)


def test_a_size_that_keeps_changing_confirms_what_holds_it_in_the_function_or_in_what_it_calls() -> None:
    assert verdicts([LOOP], [LENGTHS]) == (["confirmed"], [LOOP.fingerprint])


def test_the_limit_that_sizes_led_to_is_due_to_what_holds_them() -> None:
    limit = replace(LENGTHS, type="recompile-limit", change="", values=())
    assert verdicts([LOOP], [LENGTHS, limit])[1] == [LOOP.fingerprint] * 2
    assert verdicts([LOOP], [LENGTHS, replace(limit, variable="mask")])[1] == [LOOP.fingerprint, None]


def test_sizes_that_tensors_share_are_held_whichever_of_them_dynamo_names() -> None:
    first = replace(LENGTHS, variable="values", change="size 11 12", values=("11", "12"))
    second = replace(LENGTHS, variable="rewards", change="size 12 13", values=("12", "13"))
    assert verdicts([LOOP], [first, second]) == (["confirmed"], [LOOP.fingerprint] * 2)
    for other in (
        replace(second, change="size 2 3", values=("2", "3")),
        replace(second, change="size 12 11", values=("12", "11")),
        replace(second, function="Other.forward"),
        replace(second, change="", values=()),
    ):
        assert "confirmed" not in verdicts([LOOP], [first, other])[0]


@pytest.mark.parametrize("inside", ["", " (nn/functional.py:5286 in interpolate)"])
def test_a_condition_on_a_size_confirms_what_holds_it_at_the_line_that_its_guard_names(inside: str) -> None:
    """`F.interpolate(x, scale_factor=(h / 4, w / 4))`: Dynamo computes the quotient, and holds it."""
    guard = f"((x.size()[2] // 4) / 4) == 1.25  # y = resize(x)  # me/{LOOP.path}:20 in step{inside}\nsize mismatch"
    computed = replace(LENGTHS, change="", values=("24", "28"), context=guard)
    assert verdicts([LOOP], [computed]) == (["confirmed"], [LOOP.fingerprint])
    assert verdicts([LOOP], [replace(computed, context=guard.replace(":20 in", ":21 in"))])[1] == [None]
    assert verdicts([LOOP], [replace(computed, function="Other.forward")])[1] == [None]


def test_another_dimension_that_had_two_sizes_is_not_due_to_what_holds_one() -> None:
    batch = replace(LENGTHS, change="size 2 3", values=("2", "3"))
    assert verdicts([LOOP], [LENGTHS, batch])[1] == [LOOP.fingerprint, None]


@pytest.mark.parametrize(
    ("why", "loop", "lengths"),
    [
        ("the second size is let vary", LOOP, replace(LENGTHS, values=("4", "6"))),
        ("another function", LOOP, replace(LENGTHS, function="Other.forward")),
        ("no size", LOOP, replace(LENGTHS, change="", values=("1", "2", "3"))),
        ("never traced", replace(LOOP, line=30, end_line=30), LENGTHS),
        ("about something else", replace(LOOP, code="CL501"), LENGTHS),
    ],
)
def test_a_size_that_changes_confirms_nothing(why: str, loop: Finding, lengths: Observation) -> None:
    assert "confirmed" not in verdicts([loop], [lengths])[0], why


def test_a_number_that_changes_is_no_container_that_grows() -> None:
    grows = replace(COUNTER, code="CL502")
    for reason, found in (
        ("the length of `self.calls` was 1, now 2", "confirmed"),
        ("`self.calls` is a Python int that changes: was 0, now 1", None),
        ("optional `self.calls` was None before, and is not now", None),
    ):
        assert verdicts([grows], [replace(RECOMPILE, reason=reason)])[0] == [found]


def test_a_method_that_sets_what_recompiles_is_found_by_its_name_or_by_what_it_is_given() -> None:
    main = StackFrame(PATH, 40, "main")
    seen = replace(RECOMPILE, title="self.epoch == 0", variable="self.epoch", stack=(main, *RECOMPILE.stack), inside=1)
    for line, verdict in (
        ("        model.set_epoch(i)", "confirmed"),
        ("        model.advance(epoch)  # each time", "confirmed"),
        ("        model.advance(i)", "not-reached"),
        ("        model.set_epochs(i)", "not-reached"),
        ("        loss = model.set_epoch(i)", "not-reached"),
    ):
        setter = finding(
            code="CL506", effect="recompile", gb_ids=(), line=39, end_line=39, function="main", source_line=line
        )
        assert verdicts([setter], [seen])[0] == [verdict], line


def test_a_count_is_not_what_the_first_call_fills() -> None:
    counts = replace(COUNTER, code="CL503", source_line='    state["step"] += 1', message="`state` is counted")
    moved = replace(RECOMPILE, variable="state['step']", reason="`state['step']` is a Python int that changes: was 1")
    assert verdicts([counts], [moved])[0] == ["confirmed"]
    assert verdicts([counts], [replace(moved, reason="`state` was empty before, and is not now")])[0] != ["confirmed"]
    added = "`state` has 'step' in it now, and had not before"
    assert verdicts([counts], [replace(moved, reason=added)])[0] != ["confirmed"]


def test_a_method_of_another_class_that_has_the_same_name_is_another() -> None:
    source = "        self.cache = c"
    fills = replace(
        COUNTER, code="CL520", function="Encoder.forward", source_line=source, column=9, line=18, end_line=18
    )
    changed = replace(
        RECOMPILE,
        function="Decoder.forward",
        line=22,
        variable="self.cache",
        reason="optional `self.cache` was None before, and is not now",
        stack=(StackFrame("train.py", 40, "<module>"), StackFrame(PATH, 23, "forward")),
        inside=1,
    )
    assert verdicts([fills], [changed])[0] != ["confirmed"]
    assert verdicts([replace(fills, function="Decoder.forward")], [changed])[0] == ["confirmed"]
    calls_it = replace(changed, stack=(*changed.stack, StackFrame(PATH, 15, "forward")))
    assert verdicts([fills], [calls_it])[0] == ["confirmed"]


def test_a_size_that_differs_with_a_number_is_not_what_a_finding_on_the_number_says() -> None:
    """`loss = loss + criterion(p, t, scale)`: the maps of each scale have sizes of their own."""
    source = "        loss = loss + criterion(p, t, scale)"
    number = replace(
        COUNTER, code="CL507", path="train.py", line=12, end_line=12, function="<module>", source_line=source, column=39
    )
    at_call = replace(
        OF_CALL, stack=(StackFrame("train.py", 12, "<module>"), *OF_CALL.stack[OF_CALL.inside :]), inside=1
    )
    assert verdicts([number], [replace(at_call, variable="scale", change="")])[0] == ["confirmed"]
    assert verdicts([number], [replace(at_call, variable="seen", change="size 486 110")])[0] != ["confirmed"]


def test_a_size_that_is_the_number_is_what_a_finding_on_the_number_says() -> None:
    """`step(ids, ids.shape[1])`: Dynamo has one symbol for both, and says that the tensor's size changed."""
    source = "    step(ids, ids.shape[1])"
    number = replace(
        COUNTER, code="CL507", path="train.py", line=12, end_line=12, function="<module>", source_line=source, column=15
    )
    at_call = replace(
        OF_CALL,
        stack=(StackFrame("train.py", 12, "<module>"), *OF_CALL.stack[OF_CALL.inside :]),
        inside=1,
        variable="ids",
        change="size 16 32 64",
        values=(16, 32, 64),
    )
    assert verdicts([number], [at_call])[0] == ["confirmed"]
    assert verdicts([number], [replace(at_call, change="size 16 32", values=(16, 32))])[0] != ["confirmed"]
    other = replace(number, source_line="    step(ids, count_of[ids])")
    assert verdicts([other], [at_call])[0] != ["confirmed"]
