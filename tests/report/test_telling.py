from __future__ import annotations

from dataclasses import replace

import pytest

from compilelint.report.follows import after_break, leading
from compilelint.report.model import Observation
from compilelint.report.stack import StackFrame
from compilelint.report.summary import summary
from compilelint.report.telling import Told, causes_of, is_inner, told
from tests.report.make import finding, observation, report, run

CALL = StackFrame("src/model.py", 12, "forward")
TORCH = "/env/lib/python3.11/site-packages/torch/optim/optimizer.py"
LIBRARY = "/env/lib/python3.11/site-packages/lib/code.py"


def only(*observations: object, findings: tuple[object, ...] = ()) -> Told:
    shown = report(*findings, observations=observations, run=run())
    (cause,) = causes_of(shown)
    return told(cause, {each.fingerprint: each for each in shown.findings}, run())


def test_where_a_rule_is_about_the_line_its_words_are_used() -> None:
    confirmed = finding()
    telling = only(observation(finding=confirmed.fingerprint, verdict="confirmed"), findings=(confirmed,))
    assert telling.said == confirmed.message
    assert telling.rule == "CL101"
    assert telling.columns == (17, 31)


def test_where_no_rule_predicted_it_dynamo_is_quoted_and_the_page_is_that_of_its_kind() -> None:
    telling = only(observation(verdict="runtime-only"))
    assert telling.said == "`.item()` reads a tensor's value back into Python"
    assert telling.rule == "CL901"
    assert telling.columns == (9, None)
    assert dict(telling.notes)["rule"] == "CL901: no rule predicted it; `compilelint rule CL901`"


def test_what_breaks_in_a_library_is_told_at_the_users_call() -> None:
    confirmed = finding()
    below = observation(path=LIBRARY, line=5, owner=CALL, finding=confirmed.fingerprint)
    telling = only(below, findings=(confirmed,))
    assert (telling.main.path, telling.main.line) == ("src/model.py", 12)
    assert dict(telling.notes)["inside"] == "lib/code.py:5: `.item()` reads a tensor's value back into Python"


def test_an_error_below_a_call_is_told_once_and_at_the_users_line() -> None:
    confirmed = finding(effect="compile-error")
    below = observation(type="compile-error", path=TORCH, line=863, owner=CALL, finding=confirmed.fingerprint)
    telling = only(below, findings=(confirmed,))
    assert (telling.main.path, telling.main.line) == ("src/model.py", 12)
    assert dict(telling.notes)["inside"] == "torch/optim/optimizer.py:863"
    unforeseen = only(replace(below, finding=None, leading_line="        opt.step()"))
    assert (unforeseen.main.path, unforeseen.main.line) == ("src/model.py", 12)


def test_what_breaks_inside_torch_is_told_at_the_users_line() -> None:
    below = observation(path=TORCH, line=79, owner=CALL, leading_line="        opt.step()")
    telling = only(below)
    assert (telling.main.path, telling.main.line, telling.main.source_line) == (
        "src/model.py",
        12,
        "        opt.step()",
    )
    assert dict(telling.notes)["inside"] == "torch/optim/optimizer.py:79"


@pytest.mark.parametrize("path", [TORCH, "/usr/lib/python3.11/inspect.py"])
def test_where_only_a_library_is_compiled_its_line_led_there(path: str) -> None:
    """`compiled(x)` calls the library: which line of it registers a hook is what a reader wants to know."""
    call, hook = StackFrame("train.py", 40, "main"), StackFrame(LIBRARY, 153, "install")
    stack = (call, hook, StackFrame(path, 27, "__init__"))
    below = observation(path=path, line=27, owner=call, stack=stack, inside=1, leading_line="    register(hook)")
    assert leading(below) == hook
    assert (only(below).main.path, only(below).main.line) == (LIBRARY, 153)


def test_what_breaks_in_another_library_stays_there() -> None:
    telling = only(observation(path=LIBRARY, line=5, owner=CALL, leading_line="        norm(x)"))
    assert (telling.main.path, telling.main.line) == (LIBRARY, 5)


def test_what_follows_from_a_break_inside_torch_names_the_users_line() -> None:
    below = observation(path=TORCH, line=79, owner=CALL, leading_line="        opt.step()")
    again = observation(type="recompile", path="b.py", function="pool", stack=(StackFrame(TORCH, 9, "run"),), inside=0)
    led = "the break at src/model.py:12 leaves the call of this function to Python, so that it is compiled on its own"
    assert after_break(below, again).startswith(led)
    skipped = replace(again, type="frame-skipped")
    assert after_break(below, skipped).endswith("so that Dynamo comes to it on its own: mend that first")
    dropping = replace(below, dropped=(StackFrame(TORCH, 3, "run"),))
    assert after_break(dropping, again).startswith("the break at src/model.py:12 dropped")


@pytest.mark.parametrize(
    ("main", "led"),
    [
        (observation(type="compile-error"), "leaves this call to Python"),
        (observation(title="Attempted to call function marked as skipped"), "is among the arguments of this call"),
        (observation(title="Reconstruction failure"), "has Dynamo hand on what is in use there"),
    ],
)
def test_what_follows_from_a_break_on_its_line_says_how(main: Observation, led: str) -> None:
    assert led in after_break(observation(), main)


def test_what_comments_accept_is_no_cause() -> None:
    assert causes_of(report(observations=(observation(accepted=True),), run=run())) == ()


def test_what_torch_does_to_itself_needs_no_block() -> None:
    inner, blocks = (
        causes_of(report(observations=(each,), run=run()))[0]
        for each in (observation(severity="info"), observation(severity="info", type="repeated-blocks"))
    )
    assert is_inner(inner)
    assert not is_inner(blocks)


def test_where_a_library_compiles_what_is_no_code_of_the_users_their_call_is_told() -> None:
    callers = (StackFrame("train.py", 19, "main"), StackFrame(LIBRARY, 900, "Trainer.train"))
    seen = observation(
        path=LIBRARY,
        stack=(*callers, StackFrame(LIBRARY, 30, "forward"), StackFrame(LIBRARY, 12, "norm")),
        inside=2,
        owner=callers[0],
        compiled_by=f"{LIBRARY}:7 torch.compile(Bert)",
    )
    routes = [dict(only(each).notes)["reached"] for each in (seen, replace(seen, compiled_by="train.py:7 compile(B)"))]
    assert routes == [
        "lib/code.py:7 torch.compile(Bert) → train.py:19 main → lib/code.py:30 forward",
        "train.py:7 compile(B) → lib/code.py:30 forward",
    ]


def test_two_parts_of_a_function_at_one_line_are_one_step() -> None:
    part = StackFrame("src/model.py", 9, "forward")
    seen = observation(stack=(part, part, StackFrame(LIBRARY, 12, "norm")), inside=0, path=LIBRARY)
    assert dict(only(seen).notes)["reached"] == "train.py:40 torch.compile(Net) → src/model.py:9 forward"


def test_advice_is_about_what_changed_and_about_what_older_versions_did_not_fit_for() -> None:
    counter = finding(effect="recompile", source_line="        self.calls += 1", column=9, end_column=24)
    first = observation(
        type="recompile", variable="self.calls", finding=counter.fingerprint, advice="Pass it.", source_line=""
    )
    second = replace(first, variable="x", other_variables=("self.calls",))
    at_call = replace(first, variable="flag")
    helps = [
        [text for title, text in only(each, findings=(counter,)).notes if title == "help"]
        for each in (first, second, at_call)
    ]
    assert helps == [
        [counter.suggestion],
        ["Pass it.", f"For `self.calls += 1`: {counter.suggestion}"],
        [counter.suggestion],
    ]


def test_a_limit_is_hit_for_what_it_says_too_and_not_only_for_what_a_rule_predicted() -> None:
    counter = finding(effect="recompile", source_line="        self.calls += 1", column=9, end_column=24)
    limit = observation(type="recompile-limit", severity="error", variable="drop", advice="Mark it.", function="f")
    before = observation(
        type="recompile",
        variable="drop",
        other_variables=("self.calls",),
        finding=counter.fingerprint,
        function="f",
        advice="Pass it.",
    )
    notes = only(limit, before, findings=(counter,)).notes
    assert [text for title, text in notes if title == "help"] == [
        "Pass it.",
        f"For `self.calls += 1`: {counter.suggestion}",
    ]


def test_a_limit_is_reached_where_its_recompiles_are_asked_for() -> None:
    limit = observation(type="recompile-limit", severity="error", variable="seen", function="f")
    asks = StackFrame("src/model.py", 15, "forward")
    before = replace(limit, type="recompile", severity="warning", stack=(*limit.stack, asks))
    elsewhere = replace(before, line=40, stack=(StackFrame("src/other.py", 40, "g"), asks))
    notes = only(limit, elsewhere, before).notes
    assert dict(notes)["reached"] == (
        "train.py:40 torch.compile(Net) → src/model.py:12 forward → src/model.py:15 forward"
    )


def test_where_a_package_was_not_checked_it_is_said() -> None:
    path = "/env/lib/python3.11/site-packages/lib/code.py"
    rules = [dict(only(observation(path=path, verdict=verdict)).notes)["rule"] for verdict in (None, "runtime-only")]
    assert rules == [
        "CL901: lib was not checked (with `--follow lib` it is); `compilelint rule CL901`",
        "CL901: no rule predicted it; `compilelint rule CL901`",
    ]


def test_a_part_after_a_break_is_compiled_again_for_what_follows_the_line() -> None:
    part = StackFrame("src/model.py", 12, "Net.forward (after line 12)")
    seen = observation(type="recompile", reason="`self.calls` is a Python int that changes", frame=part)
    assert only(seen).said == "after this line, `self.calls` is a Python int that changes"
    assert only(replace(seen, frame=StackFrame("src/model.py", 12, "Net.forward"))).said == seen.reason


def test_what_follows_from_a_break_that_a_rule_predicted_is_no_surprise() -> None:
    confirmed = finding()
    drop = observation(
        finding=confirmed.fingerprint,
        verdict="confirmed",
        frame_dropped=True,
        dropped=(StackFrame("src/model.py", 3, "Net.forward"),),
    )
    follows = observation(
        type="recompile",
        path="src/pool.py",
        function="pool",
        variable="x",
        title="x size",
        verdict="runtime-only",
        stack=(StackFrame("src/model.py", 12, "forward"), StackFrame("src/pool.py", 1, "pool")),
        inside=0,
    )
    shown = report(confirmed, observations=(drop, follows), run=run())
    by_fingerprint = {each.fingerprint: each for each in shown.findings}
    notes = [dict(told(cause, by_fingerprint, run()).notes) for cause in causes_of(shown)]
    assert notes[1]["rule"] == (
        "CL903: follows from CL101 tensor-item at src/model.py:12, which is confirmed; `compilelint rule CL903`"
    )
    assert "that no rule predicted" not in summary(shown)
