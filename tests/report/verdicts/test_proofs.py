from __future__ import annotations

from dataclasses import replace

from compilelint.report.model import UseOfValue
from tests.report.make import finding, observation
from tests.report.verdicts.ask import COUNTER, verdicts


def test_a_break_on_the_line_confirms() -> None:
    assert verdicts([finding()], [observation()]) == (["confirmed"], ["0123456789abcdef"])


def test_a_graph_break_is_no_recompile() -> None:
    assert verdicts([COUNTER], [observation(line=20)]) == (["refuted"], [None])


def test_a_function_that_was_given_up_confirms_that_it_is_not_compiled() -> None:
    given_up = observation(type="frame-skipped", line=12, gb_id=None)
    assert verdicts([finding(effect="not-compiled")], [given_up])[0] == ["confirmed"]


def test_a_break_that_raised_confirms_too() -> None:
    raised = observation(type="compile-error", severity="error")
    assert verdicts([finding()], [raised])[0] == ["confirmed"]


def test_a_first_call_that_did_nothing_is_what_leaves_its_function_out() -> None:
    idle = finding(code="CL630", effect="not-compiled", gb_ids=(), line=12, end_line=12, function="Net.forward")
    left_out = observation(
        type="frame-skipped",
        line=10,
        function="Net.forward",
        owner=None,
        gb_id=None,
        title="No ops traced in the first call",
    )
    assert verdicts([idle], [left_out]) == (["confirmed"], [idle.fingerprint])
    assert verdicts([replace(idle, function="Net.loss")], [left_out]) == ([None], [None])
    assert verdicts([idle], [replace(left_out, title="a generator")]) == ([None], [None])
    assert verdicts([replace(idle, code="CL602")], [left_out]) == ([None], [None])


def test_a_function_that_a_transform_calls_is_named_where_it_is_given_to_it() -> None:
    given = finding(
        code="CL631", effect="not-compiled", gb_ids=(), line=30, end_line=30, source_line="torch.vmap(step)(x)"
    )
    given_up = observation(
        type="frame-skipped", function="step", owner=None, gb_id=None, title="Unsupported functorch tracing attempt"
    )
    assert verdicts([given], [given_up]) == (["confirmed"], [given.fingerprint])
    assert verdicts([given], [replace(given_up, function="other")]) == ([None], [None])
    assert verdicts([given], [replace(given_up, title="a generator")]) == ([None], [None])


def test_what_a_property_read_by_super_gives_breaks_where_it_is_used() -> None:
    """`return super().raw` in the property, `len(self.raw.shape)` in another class."""
    read = finding(
        code="CL438", gb_ids=("GB0059",), message="`super().raw` reads a property of the base class by `super()`"
    )
    used = observation(
        path="src/base.py",
        line=115,
        owner=None,
        gb_id="GB4841",
        title="Unsupported python_type() call",
        context="GetAttrVariable(GetAttrVariable(SuperVariable(), raw), shape) does not implement python_type()",
    )
    assert verdicts([read], [used]) == (["confirmed"], [read.fingerprint])
    other = replace(used, context="GetAttrVariable(SuperVariable(), raw_shape)")
    assert verdicts([read], [other]) == (["refuted"], [None])
    assert verdicts([replace(read, line=99, end_line=99)], [used]) == (["not-reached"], [None])
    unnamed = replace(used, context="raised exception TypeError(\"'property' object is not iterable\")")
    assert verdicts([read], [unnamed]) == ([None], [None])
    said = "raised exception TypeError(\"unsupported operand type(s) for +: 'Tensor' and 'property'\")"
    added = replace(used, path=read.path, line=read.line, gb_id="GB0088", title="Observed exception", context=said)
    assert verdicts([read], [added]) == (["confirmed"], [read.fingerprint])


def test_a_generator_that_is_left_out_shows_nothing_else_on_its_line() -> None:
    """`sum(n for n in sizes) + x.sum().item()`, where the function around was given up for something before it."""
    left_out = observation(type="frame-skipped", line=12, gb_id=None, title="Attempt to trace generator")
    assert verdicts([finding()], [left_out]) == (["refuted"], [None])
    assert verdicts([finding(effect="not-compiled")], [left_out])[0] == ["confirmed"]


def test_what_backends_fail_at_is_shown_by_their_failure_too() -> None:
    given = finding(code="CL521", effect="recompile", fingerprint="a" * 16)
    computed = finding(code="CL117", gb_ids=(), fingerprint="b" * 16)
    for title in ("Backend compiler exception", "Backend compiler failed with a fake tensor exception at"):
        failed = observation(gb_id=None, title=title, reason="the backend `inductor` cannot compile `CL`", context="")
        assert verdicts([computed, given], [failed]) == (["refuted", "confirmed"], ["a" * 16])
    elsewhere = observation(gb_id=None, title="Failed to trace builtin operator", reason="`print`", context="")
    assert verdicts([given], [elsewhere])[1] == [None]


def test_a_layer_that_is_compiled_alone_breaks_where_it_is_given_to_torch_compile() -> None:
    alone = finding(
        code="CL634", effect="not-compiled", gb_ids=(), line=12, end_line=12, source_line="rnn = torch.compile(rnn)"
    )
    refused = observation(line=12, gb_id="GB0014", title="Attempted to wrap RNN, GRU, or LSTM", function="GRU.forward")
    assert verdicts([alone], [refused])[0] == ["confirmed"]
    assert verdicts([alone], [replace(refused, line=13)])[0] == [None]
    assert verdicts([alone], [replace(refused, title="print")])[0] == [None]


def test_a_break_where_the_called_function_uses_the_number() -> None:
    """`step(x, i)` is what the finding stands at, and `str(n)` in the function is what splits the graph."""
    given = finding(
        code="CL507",
        effect="recompile",
        gb_ids=(),
        line=40,
        end_line=40,
        source_line="    step(x, i)",
        use=UseOfValue("str(n)", "step", "graph-break"),
    )
    split = observation(line=12, function="step", source_line="    return TABLE[str(n)] * x", owner=None)
    assert verdicts([given], [split]) == (["confirmed"], [given.fingerprint])
    assert verdicts([given], [replace(split, source_line="    print(x)")])[1] == [None]
    assert verdicts([given], [replace(split, function="other")])[1] == [None]
    held = replace(given, use=UseOfValue("str(n)", "step", "recompile"))
    assert verdicts([held], [split])[1] == [None], "what is held as a constant splits nothing"
    assert verdicts([replace(given, use=None)], [split])[1] == [None]
