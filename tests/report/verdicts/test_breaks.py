from __future__ import annotations

from dataclasses import replace
from typing import Any

from compilelint.report.model import Finding, Observation
from compilelint.report.stack import StackFrame
from tests.report.make import finding, observation
from tests.report.verdicts.ask import PATH, verdicts


def test_any_line_of_a_statement_will_do() -> None:
    spread = finding(line=11, end_line=14)
    assert verdicts([spread], [observation(line=13)])[0] == ["confirmed"]


def test_two_hazards_on_a_line_are_told_apart_by_dynamos_ids() -> None:
    item = finding(fingerprint="a" * 16)
    shown = finding(code="CL201", gb_ids=("GB0059",), column=9, end_column=16, fingerprint="b" * 16)
    assert verdicts([item, shown], [observation()]) == (["confirmed", "refuted"], ["a" * 16])
    both = [observation(), observation(gb_id="GB0059", title="Failed to trace builtin operator")]
    assert verdicts([item, shown], both) == (["confirmed", "confirmed"], ["a" * 16, "b" * 16])


def test_of_several_that_share_an_id_the_one_is_named_that_the_words_are_about() -> None:
    of_line = {"source_line": "        return a[keep], b[keep].unique()", "gb_ids": ("GB0036",)}
    masked = finding(code="CL120", column=16, end_column=23, fingerprint="a" * 16, **of_line)
    unique = finding(code="CL122", column=25, end_column=41, fingerprint="b" * 16, **of_line)
    other = finding(code="CL120", column=25, end_column=32, fingerprint="c" * 16, **of_line)
    breaks = [
        observation(gb_id="GB0036", title="", reason=f"the size of `{what}` depends on data", context="")
        for what in ("nonzero()", "unique()")
    ]
    assert verdicts([masked, unique, other], breaks) == (["confirmed"] * 3, ["a" * 16, "b" * 16])


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


def test_of_several_calls_into_a_library_on_a_line_the_one_is_meant_that_was_running() -> None:
    line = "        a.zero_grad(); loss.backward(); a.step(); b.step()"
    of_line = {"source_line": line, "gb_ids": ("GB0008",), "line": 12, "end_line": 12}
    calls = ("a.zero_grad()", "a.step()", "b.step()")
    findings = [
        finding(column=(at := line.index(call) + 1), end_column=at + len(call), fingerprint=str(index) * 16, **of_line)
        for index, call in enumerate(calls)
    ]
    below = observation(
        path="/env/site-packages/torch/optim/optimizer.py", gb_id="GB0025", title="", context="", reason=""
    )
    seen = [
        replace(below, owner=StackFrame(PATH, 12, "forward"), owner_call=line[line.index(call) :])
        for call in ("a.step()", "b.step()")
    ]
    assert verdicts(findings, seen) == (["refuted", "confirmed", "confirmed"], ["1" * 16, "2" * 16])
    unmarked = [replace(each, owner_call="") for each in seen]
    assert verdicts(findings, unmarked)[1] == [None, None]


def test_a_function_is_given_up_at_its_first_decorator() -> None:
    at_def = finding(effect="not-compiled", line=13, end_line=13, source_line="def pieces(x):")
    given_up = observation(type="frame-skipped", line=12, function="pieces", gb_id=None, owner=None)
    assert verdicts([at_def], [given_up])[0] == ["confirmed"]
    other = observation(type="frame-skipped", line=12, function="others", gb_id=None, owner=None)
    assert verdicts([at_def], [other])[0] == [None]


def test_each_line_that_leads_to_one_place_in_a_library_is_confirmed() -> None:
    """`self.log(…)` and `self.log_dict(…)` break at the same line of Lightning's."""
    of_log = {"code": "CL216", "gb_ids": ("GB0099",)}
    one = finding(line=11, end_line=11, fingerprint="a" * 16, **of_log)
    two = finding(line=12, end_line=12, fingerprint="b" * 16, **of_log)
    owners = tuple(StackFrame(PATH, line, "step") for line in (11, 12))
    seen = observation(path="lightning/module.py", line=531, gb_id="GB0099", owner=owners[0], owners=owners)
    assert verdicts([one, two], [seen]) == (["confirmed", "confirmed"], ["a" * 16])
    assert verdicts([one, two], [replace(seen, owners=owners[:1])])[0] == ["confirmed", "refuted"]


def test_a_call_that_fails_while_the_graph_is_built_is_no_decision_on_a_tensor() -> None:
    """`if audio.abs().max() > 1` where `audio` is an array: it has no `abs`."""
    branch = finding(code="CL110", gb_ids=("GB0170",))
    failed = observation(type="compile-error", title="TorchRuntimeError", gb_id=None, severity="error")
    assert verdicts([branch], [failed]) == (["not-reached"], [None])
    assert verdicts([branch], [replace(failed, title="Data-dependent branching")])[0] == ["confirmed"]


def test_a_list_of_an_arrays_whole_numbers_is_read_number_by_number() -> None:
    """`padding=self.padding.tolist(), dilation=self.dilation.tolist()`: of floats Dynamo says so in other words."""
    padding = finding(code="CL102", gb_ids=("GB0109",), column=9, end_column=30)
    dilation = replace(padding, column=41, end_column=63, fingerprint="b" * 16)
    read = observation(title="Data dependent operator", gb_id="GB0033")
    assert verdicts([padding, dilation], [read])[0] == ["confirmed", "confirmed"]
    number = replace(padding, code="CL101", gb_ids=("GB0033",), column=70, end_column=78, fingerprint="c" * 16)
    assert verdicts([padding, number], [read])[0] == ["refuted", "confirmed"]


def test_a_call_that_fails_while_the_graph_is_built_has_read_no_data() -> None:
    """`v.view(bsz, heads, dim, 1)` of another number of elements: the failure is the program's own."""
    size = finding(code="CL108", gb_ids=("GB0033",))
    failed = observation(type="compile-error", title="TorchRuntimeError", gb_id=None, severity="error")
    assert verdicts([size], [failed]) == (["not-reached"], [None])
    assert verdicts([replace(size, gb_ids=())], [failed])[0] == ["confirmed"]


def test_an_operator_that_fails_on_numbers_alone_is_no_break_of_a_tensor() -> None:
    """`math.exp(-((n - 10) / 5.0) ** 2)` of an `n` that may be a tensor, for all that is known, and is a number."""
    of_tensor = finding(code="CL107", gb_ids=())
    node = "call_function <built-in function pow>(*({}, 2), **{{}}): got RuntimeError('Expected cond to be True')"
    said = f"RuntimeError when making fake tensor call\n  Dynamo failed to run FX node with fake tensors: {node}"
    failed = observation(type="compile-error", title="TorchRuntimeError", gb_id=None, severity="error")
    numbers = replace(failed, context=said.format("FloatTrueDiv(ToFloat(s81 - 10), 5.0)"))
    assert verdicts([of_tensor], [numbers]) == (["not-reached"], [None])
    tensors = replace(failed, context=said.format("FakeTensor(..., size=(3,))"))
    assert verdicts([of_tensor], [tensors])[0] == ["confirmed"]


def test_a_number_that_python_drew_is_read_in_more_ways_than_were_measured() -> None:
    """`x[start:]` of a drawn start reads it as a number; the page's `x[start : start + 2]` fails to add."""
    slices = finding(code="CL207", gb_ids=("GB0213",), source_line="    return x[start:]", message="")
    read = observation(context="call_method UnspecializedPythonVariable() item () {}")
    assert verdicts([slices], [read])[0] == ["confirmed"]
    of_tensor = replace(read, title="", reason="", context="call_method TensorVariable() item () {}")
    assert verdicts([slices], [of_tensor])[0] != ["confirmed"]


def test_what_a_checkpointed_function_leaves_changed_is_told_at_the_call_of_checkpoint() -> None:
    wrote = finding(
        code="CL742",
        gb_ids=("GB0067",),
        source_line="        self.calls = x.shape[0]",
        column=9,
        end_column=32,
        function="Net.inner",
        reached_from=("train.py:40 torch.compile(Net())", "Net.forward (inside a `for` loop)", "Net.inner"),
    )
    left = observation(
        line=20,
        gb_id="GB4413",
        title="HOP: Non-nullified side effect",
        reason="Attribute 'calls' on an outer-scope object was changed from 0 to 2 inside a higher-order op subgraph",
        context="Attribute 'calls' was not restored to its original value",
        stack=(StackFrame("train.py", 40, "main"), StackFrame(PATH, 20, "forward")),
        owner=StackFrame(PATH, 20, "forward"),
    )
    assert verdicts([wrote], [left]) == (["confirmed"], [wrote.fingerprint])
    # It is the first that is told, and what Dynamo says nothing of, it has not looked at.
    other = replace(left, context=left.context.replace("calls", "scale"))
    assert verdicts([wrote], [other]) == ([None], [None])
    elsewhere = replace(left, compiled_by="other.py:9 torch.compile(Net)")
    assert verdicts([wrote], [elsewhere])[0] == [None]
    tensor = replace(left, gb_id="GB0067", title="HOP: Unsafe side effect", context="")
    assert verdicts([wrote], [tensor])[0] == [None]
    assert verdicts([wrote], [observation(line=20)])[0] == ["refuted"]
    # Where what calls the operator was left out before, Python ran it, and the function was compiled by itself.
    for function, verdict in (("Net.forward", "not-reached"), ("forward", "not-reached"), ("Other.forward", "refuted")):
        dropped = observation(line=90, owner=None, stack=(), dropped=(StackFrame(PATH, 80, function),))
        assert verdicts([wrote], [dropped])[0] == [verdict]


def _penalty(name: str, path: str = PATH, **changes: Any) -> Finding:
    """A gradient of something compiled that is to be differentiated."""
    of_rule: dict[str, Any] = {"code": "CL744", "effect": "compile-error", "gb_ids": (), "line": 30, "end_line": 30}
    return finding(**{**of_rule, "path": path, "function": name, **changes})


def _differentiated(*stack: StackFrame) -> Observation:
    return observation(
        type="compile-error",
        gb_id=None,
        path=stack[-1].path,
        line=stack[-1].line,
        title="RuntimeError",
        context="torch.compile with aot_autograd does not currently support double backward",
        stack=stack,
    )


def test_a_gradient_that_is_differentiated_elsewhere_fails_there() -> None:
    failed = _differentiated(StackFrame("train.py", 8, "<module>"))
    assert verdicts([_penalty("penalty", fingerprint="a" * 16)], [failed]) == (["confirmed"], ["a" * 16])


def test_of_several_gradients_that_of_a_running_function_is_the_one() -> None:
    one = _penalty("penalty", fingerprint="a" * 16)
    other = _penalty("forces", line=40, fingerprint="b" * 16)
    failed = _differentiated(StackFrame(PATH, 60, "<module>"), StackFrame(PATH, 43, "forces"))
    assert verdicts([one, other], [failed]) == ([None, "confirmed"], ["b" * 16])
    of_file = _differentiated(StackFrame(PATH, 60, "<module>"))
    assert verdicts([one, other, _penalty("p", "lib.py")], [of_file])[0] == ["confirmed", "confirmed", None]


def test_of_several_gradients_of_other_files_torch_does_not_say_which_it_was() -> None:
    failed = _differentiated(StackFrame("train.py", 8, "<module>"))
    assert verdicts([_penalty("one"), _penalty("two")], [failed])[0] == [None, None]


def test_another_error_says_nothing_of_a_gradient() -> None:
    failed = replace(_differentiated(StackFrame(PATH, 60, "<module>")), context="out of memory")
    assert verdicts([_penalty("penalty")], [failed])[0] == [None]


def test_a_module_with_a_backward_hook_breaks_where_it_is_called() -> None:
    hooked = finding(code="CL633", gb_ids=(), line=30, end_line=30, function="<module>", fingerprint="c" * 16)
    called = observation(
        gb_id="GB0083",
        path="torch/nn/modules/module.py",
        line=1829,
        title="Module-level backwards hooks require compiled autograd",
        stack=(StackFrame(PATH, 33, "<module>"), StackFrame(PATH, 12, "forward")),
    )
    assert verdicts([hooked], [called]) == (["confirmed"], ["c" * 16])
    other = replace(called, title="Unsupported function call")
    assert verdicts([hooked], [other])[0] == [None]
    assert verdicts([replace(hooked, path="another.py")], [called])[0] == [None], "a program that was not run"
