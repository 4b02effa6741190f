from __future__ import annotations

import re
from dataclasses import replace

import pytest

from compilelint.catalog import rules_directory
from compilelint.report.model import Effect
from compilelint.report.stack import StackFrame
from compilelint.report.verdicts.merging import merge
from tests.report.make import finding, observation
from tests.report.verdicts.ask import COUNTER, PATH, RECOMPILE, TRACED, verdicts


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


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("bool(self.p and x.any())", None),
        ("bool( self.p and self.training and torch.ran…", None),
        ("bool(self.p or x.any())", None),
        ("bool(x.any())", "refuted"),
        ("bool(land.any())", "refuted"),
    ],
)
def test_of_a_condition_that_is_converted_the_part_that_matters_may_never_be_asked(
    source: str, verdict: str | None
) -> None:
    whole = f"`{source}` converts a tensor to a Python number, which splits the graph"
    over_lines = finding(code="CL103", message=whole, source_line="dropped = bool(", column=11, end_line=13)
    assert verdicts([over_lines], []) == ([verdict], [])


def test_a_line_that_was_not_traced_is_not_reached() -> None:
    assert verdicts([finding(line=99, end_line=99)], []) == (["not-reached"], [])
    assert verdicts([finding(path="src/other.py")], []) == (["not-reached"], [])


@pytest.mark.parametrize("effect", ["compile-error", "recompile"])
def test_of_what_a_module_compiles_no_line_is_traced_that_would_tell(effect: Effect) -> None:
    at_top = finding(code="CL632", effect=effect, function="<module>", path="src/other.py")
    assert verdicts([at_top], []) == ([None], [])


def test_so_it_is_with_a_function_around_what_is_compiled() -> None:
    limit = finding(code="CL518", effect="recompile", function="main", path="src/other.py", reached_from=("main",))
    assert verdicts([limit], []) == ([None], [])
    inside = replace(limit, reached_from=("src/other.py:3 torch.compile(step)", "main"))
    assert verdicts([inside], []) == (["not-reached"], [])


def test_what_comes_after_a_break_that_drops_the_frame_is_not_reached() -> None:
    item = finding(fingerprint="a" * 16)
    shown = finding(code="CL201", gb_ids=("GB0059",), source_line="print(1)", column=1, fingerprint="b" * 16)
    dropped = observation(frame_dropped=True)
    assert verdicts([item, shown], [dropped])[0] == ["confirmed", "not-reached"]


def test_what_comes_after_a_call_that_breaks_and_drops_the_function_is_not_reached() -> None:
    """`table[i, :n] = self.row(n)` in a loop: the call breaks before anything is stored."""
    stored = finding(code="CL105", line=20, end_line=20, function="Net.forward", source_line="    table[:n] = row(n)")
    called = observation(
        line=40,
        function="row",
        owner=None,
        stack=(StackFrame("run.py", 3, "<module>"), StackFrame(PATH, 20, "forward"), StackFrame(PATH, 40, "row")),
        inside=1,
        frame_dropped=True,
        dropped=(StackFrame(PATH, 9, "Net.forward"),),
    )
    assert verdicts([stored], [called])[0] == ["not-reached"]
    assert verdicts([stored], [replace(called, dropped=(StackFrame(PATH, 39, "row"),))])[0] == ["refuted"]
    assert verdicts([replace(stored, line=13, end_line=13)], [called])[0] == ["refuted"]


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


def test_what_leaks_out_of_a_graph_is_not_seen_where_there_is_none() -> None:
    """`requires_grad_()` of what is computed breaks once the graph is done, by what it gives."""
    leaks = finding(code="CL703", gb_ids=("GB8985", "GB0125"), line=11, end_line=11)
    dropped = observation(
        line=13,
        owner=StackFrame(PATH, 13, "forward"),
        frame_dropped=True,
        dropped=(StackFrame(PATH, 9, "Net.forward"),),
    )
    assert verdicts([leaks], [dropped])[0] == ["not-reached"]
    assert verdicts([leaks], [replace(dropped, frame_dropped=False, dropped=())])[0] == ["refuted"]


def test_a_property_that_dynamo_took_for_something_else_breaks_where_it_is_used() -> None:
    """`w = super().width`, and three lines further down `x * w`."""
    kept = finding(code="CL438", line=13, end_line=13)
    used = observation(line=16, owner=StackFrame(PATH, 16, "forward"))
    assert verdicts([kept], [used])[0] == [None]
    assert verdicts([kept], [observation(line=12)])[0] == ["refuted"]
    assert verdicts([kept], [])[0] == ["refuted"]


def test_a_recompile_for_another_variable_tells_nothing_as_its_guard_may_hide_others() -> None:
    other = replace(RECOMPILE, variable="self.scale", title="self.scale == 1")
    assert verdicts([COUNTER], [other]) == ([None], [None])


def test_a_guard_that_is_checked_where_the_function_begins_may_hide_others_as_well() -> None:
    other = replace(RECOMPILE, variable="x", stack=(StackFrame("train.py", 3, "<module>"),))
    assert verdicts([COUNTER], [other]) == ([None], [None])


@pytest.mark.parametrize(
    ("code", "effect"),
    [("CL522", "recompile"), ("CL737", "graph-break"), ("CL738", "graph-break"), ("CL752", "compile-error")],
)
def test_what_happens_only_if_sizes_change_is_not_refuted_by_a_run(code: str, effect: str) -> None:
    assert verdicts([finding(code=code, effect=effect)], []) == ([None], [])


def test_what_draws_for_a_batch_is_not_refuted_by_a_run_as_other_findings_of_its_page_are() -> None:
    page = (rules_directory() / "CL731-distribution-untraced.md").read_text(encoding="utf-8")
    messages = re.findall(r'^message = "(.*)"$', page, re.MULTILINE)
    found = {message: verdicts([finding(code="CL731", message=message)], [])[0] for message in messages}
    draws = [message for message in messages if "draws as many as the batch is large" in message]
    assert [message for message, verdict in found.items() if verdict == [None]] == draws
    assert [message for message, verdict in found.items() if verdict == ["refuted"]] == [
        message for message in found if message not in draws
    ]
    assert len(draws) == 1


@pytest.mark.parametrize("line", [10, 99])
@pytest.mark.parametrize("code", ["CL632", "CL744", "CL804"])
def test_what_fails_next_to_what_is_compiled_shows_in_no_compilation(line: int, code: str) -> None:
    outside = finding(code=code, effect="compile-error", line=line, end_line=line)
    assert verdicts([outside], []) == ([None], [])


def test_what_only_other_backends_refuse_is_not_refuted_by_tracing() -> None:
    inside = finding(code="CL750", effect="compile-error")
    assert verdicts([inside], []) == ([None], [])
    assert verdicts([replace(inside, line=99, end_line=99)], []) == (["not-reached"], [])


def test_what_was_called_once_cannot_recompile() -> None:
    assert verdicts([COUNTER], [], called_again=False) == (["not-reached"], [])
    assert verdicts([COUNTER], []) == (["refuted"], [])


def test_what_compiled_the_caller_again_hides_what_a_function_of_another_file_has_changed() -> None:
    caller = observation(
        type="recompile",
        path="src/net.py",
        function="Net.forward",
        gb_id=None,
        title="self.pos is None",
        variable="self.pos",
        stack=(StackFrame("src/net.py", 10, "forward"),),
        inside=0,
    )
    below = replace(COUNTER, function="Attend.mask", reached_from=("Net.forward (inside a `for` loop)", "Attend.mask"))
    assert verdicts([below], [caller])[0] == [None]
    assert verdicts([replace(below, reached_from=("Other.forward", "Attend.mask"))], [caller])[0] == ["refuted"]


@pytest.mark.parametrize("effect", ["wrong-result", "slow-start", "not-compiled"])
def test_what_a_run_does_not_show_has_no_verdict(effect: str) -> None:
    assert verdicts([finding(effect=effect)], []) == ([None], [])


def test_where_lines_were_not_recorded_only_what_happened_has_a_verdict() -> None:
    merged = merge([finding(), finding(line=20, end_line=20, fingerprint="f" * 16)], [observation()], None)
    assert [each.verdict for each in merged.findings] == ["confirmed", None]


@pytest.mark.parametrize(
    ("dropped", "verdict"),
    [
        (StackFrame(PATH, 10, "Net.forward"), "not-reached"),
        (StackFrame(PATH, 15, "Net.forward (after line 15)"), "not-reached"),
        (StackFrame(PATH, 25, "Net.forward (after line 25)"), "refuted"),
        (StackFrame(PATH, 10, "Net.encode"), "refuted"),
        (StackFrame(PATH, 10, "Block.forward"), "refuted"),
        (StackFrame(PATH, 10, "forward"), "not-reached"),
        (StackFrame("src/other.py", 10, "Net.forward"), "refuted"),
    ],
)
def test_what_a_break_had_dropped_was_not_compiled_again(dropped: StackFrame, verdict: str) -> None:
    place = {"line": 30, "owner": None, "stack": (StackFrame("train.py", 40, "main"), StackFrame(PATH, 30, "encode"))}
    broke = observation(frame_dropped=True, dropped=(dropped,), function="Net.encode", **place)
    assert verdicts([COUNTER], [broke])[0] == [verdict]


def test_what_is_a_part_of_a_function_that_a_break_in_it_had_dropped_may_run_nowhere_else() -> None:
    stack = (StackFrame("train.py", 40, "main"), StackFrame(PATH, 5, "run"), StackFrame(PATH, 22, "forward"))
    broke = observation(frame_dropped=True, dropped=(StackFrame(PATH, 4, "run"),), line=22, owner=None, stack=stack)
    assert verdicts([COUNTER], [broke])[0] == [None]
    assert verdicts([COUNTER], [replace(broke, frame_dropped=False, dropped=())])[0] == ["refuted"]


def test_what_was_left_out_after_its_first_call_says_nothing_of_recompiles() -> None:
    left_out = observation(
        type="frame-skipped",
        line=10,
        gb_id=None,
        title="No ops traced in the first call",
        dropped=(StackFrame(PATH, 10, COUNTER.function),),
    )
    assert verdicts([COUNTER], [left_out]) == (["not-reached"], [None])
    elsewhere = replace(left_out, dropped=(StackFrame(PATH, 10, "other"),))
    assert verdicts([COUNTER], [elsewhere]) == (["refuted"], [None])
