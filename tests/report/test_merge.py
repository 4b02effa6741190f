from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.merge import Merged, merge
from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation

PATH = "src/model.py"
TRACED = {PATH: frozenset({10, 11, 12, 13, 20})}


def verdicts(
    findings: list[Finding], observations: list[Observation], *, called_again: bool = True
) -> tuple[list[str | None], list[str | None]]:
    merged: Merged = merge(findings, observations, TRACED, called_again=lambda _: called_again)
    return [each.verdict for each in merged.findings], [each.finding for each in merged.observations]


def test_a_break_on_the_line_confirms() -> None:
    assert verdicts([finding()], [observation()]) == (["confirmed"], ["0123456789abcdef"])


def test_a_break_that_no_finding_predicted_is_runtime_only() -> None:
    merged = merge([finding(line=11, end_line=11)], [observation()], TRACED)
    assert merged.observations[0].verdict == "runtime-only"
    assert merged.observations[0].finding is None


def test_what_is_in_files_that_nobody_checked_has_no_verdict() -> None:
    seen = [observation(inside=1), observation(inside=0), observation(type="recompile", path="train.py")]
    merged = merge([], seen, TRACED, is_checked=lambda path: path == "train.py")
    assert [each.verdict for each in merged.observations] == [None, "runtime-only", "runtime-only"]


def test_a_traced_line_that_did_nothing_refutes() -> None:
    assert verdicts([finding()], []) == (["refuted"], [])


@pytest.mark.parametrize(
    "line",
    [
        "if debug: {}",
        "n = {} if debug else 0",
        "debug and {}",
        "rest = [{} for t in items]",
        "n = 0 if x is None else {}",
    ],
)
def test_a_part_of_a_line_that_may_be_left_out_is_not_refuted(line: str) -> None:
    before = line.partition("{")[0]
    part = finding(source_line=line.format("x.item()"), column=len(before) + 1, end_column=len(before) + 9)
    assert verdicts([part], []) == ([None], [])


@pytest.mark.parametrize(
    "line",
    ["if {}:", "while {}: n = n + 1", "n = {} + 1", "for i in range({}):", "x = fora({})", "x = {}  # if or for"],
)
def test_a_part_of_a_line_that_is_always_evaluated_is_refuted(line: str) -> None:
    before = line.partition("{")[0]
    part = finding(source_line=line.format("x.item()"), column=len(before) + 1, end_column=len(before) + 9)
    assert verdicts([part], []) == (["refuted"], [])


def test_a_line_that_was_not_traced_is_not_reached() -> None:
    assert verdicts([finding(line=99, end_line=99)], []) == (["not-reached"], [])
    assert verdicts([finding(path="src/other.py")], []) == (["not-reached"], [])


def test_any_line_of_a_statement_will_do() -> None:
    spread = finding(line=11, end_line=14)
    assert verdicts([spread], [observation(line=13)])[0] == ["confirmed"]


def test_two_hazards_on_a_line_are_told_apart_by_dynamos_ids() -> None:
    item = finding(fingerprint="a" * 16)
    shown = finding(code="CL201", gb_ids=("GB0059",), column=9, end_column=16, fingerprint="b" * 16)
    assert verdicts([item, shown], [observation()]) == (["confirmed", "refuted"], ["a" * 16])
    both = [observation(), observation(gb_id="GB0059", title="Failed to trace builtin operator")]
    assert verdicts([item, shown], both) == (["confirmed", "confirmed"], ["a" * 16, "b" * 16])


def test_two_hazards_on_a_line_are_told_apart_by_words_without_ids() -> None:
    line = "print(x.sum().item())"
    item = finding(gb_ids=(), source_line=line, column=7, end_column=21, fingerprint="a" * 16)
    shown = finding(gb_ids=(), source_line="print(x)", column=1, end_column=6, fingerprint="b" * 16)
    found = observation(
        gb_id=None, title="Failed to trace builtin operator", reason="`print` in compiled code", context=""
    )
    assert verdicts([item, shown], [found]) == (["refuted", "confirmed"], ["b" * 16])


def test_what_stands_in_the_arguments_of_a_call_is_not_what_the_call_is_about() -> None:
    line = "        print(x.tolist())"
    of_line = {"source_line": line, "gb_ids": ()}
    shown = finding(code="CL201", column=9, end_column=26, fingerprint="a" * 16, **of_line)
    listed = finding(code="CL102", column=15, end_column=25, fingerprint="b" * 16, **of_line)
    seen = observation(gb_id="", title="", context="", reason="`tolist()` on floats is not traced")
    assert verdicts([shown, listed], [seen]) == (["refuted", "confirmed"], ["b" * 16])
    said = replace(seen, reason="`print` in compiled code")
    assert verdicts([shown, listed], [said]) == (["confirmed", "refuted"], ["a" * 16])


def test_another_construct_on_the_line_confirms_nothing() -> None:
    other = observation(gb_id="GB0059", title="Failed to trace builtin operator", context="builtin hash", reason="hash")
    assert verdicts([finding()], [other]) == (["refuted"], [None])


def test_what_comes_after_a_break_that_drops_the_frame_is_not_reached() -> None:
    item = finding(fingerprint="a" * 16)
    shown = finding(code="CL201", gb_ids=("GB0059",), source_line="print(1)", column=1, fingerprint="b" * 16)
    dropped = observation(frame_dropped=True)
    assert verdicts([item, shown], [dropped])[0] == ["confirmed", "not-reached"]


def test_what_comes_after_a_break_whose_rest_dynamo_never_traced_is_not_reached() -> None:
    item = finding(fingerprint="a" * 16)
    shown = finding(code="CL201", gb_ids=("GB0059",), source_line="print(1)", column=1, fingerprint="b" * 16)
    stopped = merge([item, shown], [observation()], TRACED, went_on=lambda place: place.line != 12)
    assert [each.verdict for each in stopped.findings] == ["confirmed", "not-reached"]
    assert verdicts([item, shown], [observation()])[0] == ["confirmed", "refuted"]


def test_behind_a_break_a_value_that_is_read_may_be_a_constant() -> None:
    size = finding(code="CL108", gb_ids=("GB0033",), line=13, end_line=13)
    assert verdicts([size], [observation(line=12)])[0] == [None]
    after = observation(line=20, owner=StackFrame(PATH, 20, "forward"))
    assert verdicts([size], [after])[0] == ["refuted"]
    elsewhere = observation(line=12, function="other", owner=StackFrame(PATH, 12, "other"))
    assert verdicts([size], [elsewhere])[0] == ["refuted"]
    assert verdicts([finding(line=13, end_line=13)], [observation(line=12)])[0] == ["refuted"], ".item() would break"


def test_a_break_below_a_call_into_a_library_confirms_the_call() -> None:
    inside = observation(
        path="/env/site-packages/lib/code.py",
        line=3,
        gb_id="GB9999",
        title="x",
        context="",
        reason="y",
        owner=StackFrame(PATH, 12, "forward"),
    )
    assert verdicts([finding()], [inside]) == (["confirmed"], ["0123456789abcdef"])


COUNTER = finding(
    code="CL501", effect="recompile", gb_ids=(), line=20, end_line=20, source_line="        self.calls += 1"
)
RECOMPILE = observation(
    type="recompile",
    line=10,
    gb_id=None,
    title="self.calls == 0",
    variable="self.calls",
    stack=(StackFrame(PATH, 20, "forward"),),
    inside=0,
)


def test_a_recompile_confirms_by_its_variable() -> None:
    assert verdicts([COUNTER], [RECOMPILE])[0] == ["confirmed"]


def test_a_recompile_for_another_variable_tells_nothing_as_its_guard_may_hide_others() -> None:
    other = observation(**{**_fields(RECOMPILE), "variable": "self.scale", "title": "self.scale == 1"})
    assert verdicts([COUNTER], [other]) == ([None], [None])


def test_a_guard_that_is_checked_where_the_function_begins_may_hide_others_as_well() -> None:
    other = observation(**{**_fields(RECOMPILE), "variable": "x", "stack": (StackFrame("train.py", 3, "<module>"),)})
    assert verdicts([COUNTER], [other]) == ([None], [None])


@pytest.mark.parametrize(("code", "effect"), [("CL522", "recompile"), ("CL737", "graph-break")])
def test_what_happens_only_if_sizes_change_is_not_refuted_by_a_run(code: str, effect: str) -> None:
    assert verdicts([finding(code=code, effect=effect)], []) == ([None], [])


def test_what_an_older_version_did_not_fit_for_is_a_cause_too() -> None:
    two = observation(**{**_fields(RECOMPILE), "variable": "mode", "other_variables": ("self.calls",)})
    assert verdicts([COUNTER], [two]) == (["confirmed"], [COUNTER.fingerprint])


def test_an_argument_that_stands_beside_an_attribute_is_not_what_the_finding_is_about() -> None:
    source = "        if own.index % 2: x = x + 1"
    differs = replace(COUNTER, source_line=source, column=12, end_column=21)
    given = observation(**{**_fields(RECOMPILE), "variable": "x", "title": "x", "change": ""})
    assert verdicts([differs], [given]) == ([None], [None])
    assert verdicts([differs], [replace(given, variable="own.index")])[0] == ["confirmed"]


CALLED = replace(COUNTER, path="train.py", function="<module>", line=40, end_line=40, source_line="step(torch.rand(i))")
OF_CALL = replace(RECOMPILE, variable="x", inside=1, stack=(StackFrame("train.py", 40, "<module>"), *RECOMPILE.stack))


def test_a_recompile_confirms_what_is_said_of_the_call() -> None:
    assert verdicts([CALLED], [OF_CALL]) == (["confirmed"], [CALLED.fingerprint])
    below_torch = (OF_CALL.stack[0], StackFrame("/env/site-packages/torch/nn/module.py", 1, "_call"), *RECOMPILE.stack)
    assert verdicts([CALLED], [replace(OF_CALL, inside=2, stack=below_torch)])[0] == ["confirmed"]


def test_a_recompile_confirms_what_is_said_of_the_compile_call() -> None:
    compiled = replace(CALLED, line=7, end_line=7)
    assert verdicts([compiled], [replace(OF_CALL, compiled_by="train.py:7 torch.compile(step)")])[0] == ["confirmed"]
    assert verdicts([compiled], [replace(OF_CALL, compiled_by="train.py:8 torch.compile(step)")])[0] == [None]


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
    same = observation(**{**_fields(RECOMPILE), "variable": RECOMPILE.variable.replace("self.", "net.")})
    assert verdicts([counter], [same])[0] == ["confirmed"]
    assert verdicts([counter], [replace(same, variable="net.scale")])[0] == [None]


def test_the_size_of_what_a_call_is_given_is_not_what_a_finding_is_about() -> None:
    source = "        self.calls.append(x.mean())"
    grows = replace(COUNTER, source_line=source, column=9, end_column=len(source) + 1)
    size = observation(**{**_fields(RECOMPILE), "variable": "x", "title": "x", "change": "size 8 6"})
    assert verdicts([grows], [size])[1] == [None]
    assert verdicts([grows], [RECOMPILE])[0] == ["confirmed"]


def test_a_recompile_of_another_file_confirms_nothing() -> None:
    other = observation(
        **{**_fields(RECOMPILE), "path": "a.py", "stack": (StackFrame("a.py", 20, "forward"),), "owner": None}
    )
    assert verdicts([COUNTER], [other])[1] == [None]


def test_what_was_called_once_cannot_recompile() -> None:
    assert verdicts([COUNTER], [], called_again=False) == (["not-reached"], [])
    assert verdicts([COUNTER], []) == (["refuted"], [])


def test_a_graph_break_is_no_recompile() -> None:
    assert verdicts([COUNTER], [observation(line=20)]) == (["refuted"], [None])


@pytest.mark.parametrize("effect", ["wrong-result", "slow-start", "not-compiled"])
def test_what_a_run_does_not_show_has_no_verdict(effect: str) -> None:
    assert verdicts([finding(effect=effect)], []) == ([None], [])


def test_a_function_that_was_given_up_confirms_that_it_is_not_compiled() -> None:
    given_up = observation(type="frame-skipped", line=12, gb_id=None)
    assert verdicts([finding(effect="not-compiled")], [given_up])[0] == ["confirmed"]


def test_a_break_that_raised_confirms_too() -> None:
    raised = observation(type="compile-error", severity="error")
    assert verdicts([finding()], [raised])[0] == ["confirmed"]


def _fields(of: Observation) -> dict[str, object]:
    return {name: getattr(of, name) for name in of.__dataclass_fields__}


def test_a_function_is_given_up_at_its_first_decorator() -> None:
    at_def = finding(effect="not-compiled", line=13, end_line=13, source_line="def pieces(x):")
    given_up = observation(type="frame-skipped", line=12, function="pieces", gb_id=None, owner=None)
    assert verdicts([at_def], [given_up])[0] == ["confirmed"]
    other = observation(type="frame-skipped", line=12, function="others", gb_id=None, owner=None)
    assert verdicts([at_def], [other])[0] == [None]


def test_where_lines_were_not_recorded_only_what_happened_has_a_verdict() -> None:
    merged = merge([finding(), finding(line=20, end_line=20, fingerprint="f" * 16)], [observation()], None)
    assert [each.verdict for each in merged.findings] == ["confirmed", None]
