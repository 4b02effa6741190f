from __future__ import annotations

import re
from dataclasses import replace

import pytest

from compilelint.report.formats.run_text import render_run
from compilelint.report.model import Budget, FrameCost, LibraryPlace, Observation, Problem
from compilelint.report.stack import StackFrame
from compilelint.report.terminal.cells import width_of
from tests.report.make import finding, observation, report, run

CLEAN = run(frames=(), budgets=(), notes=(), cache_hits=0, cache_misses=0)


def test_a_run_is_shown_whole() -> None:
    confirmed = finding(verdict="confirmed")
    item = observation(finding=confirmed.fingerprint, verdict="confirmed")
    refuted = finding(code="CL201", line=30, end_line=30, verdict="refuted", fingerprint="f" * 16)
    text = render_run(report(confirmed, refuted, observations=(item,), run=run()), width=90)
    assert text == (
        "Run train.py --steps 4 (torch 2.13.0; exit code 0)\n"
        "Compiled 2 pieces of code in 3 compilations, 1.5 s, first result after 0.8 s; "
        "compile caches: 1 hit, 2 misses\n"
        "    1.25 s  Net.forward src/model.py:10, 2 times\n"
        "    0.25 s  f a.py:1\n"
        "note: --backend eager instead of inductor\n"
        "\n"
        "src/model.py:12: graph break: `x.sum().item()` reads a tensor back into Python\n"
        "   |\n"
        "12 |         scale = x.sum().item()\n"
        "   |                 ^^^^^^^^^^^^^^ 3 times, 0.1 s of compiling\n"
        "   = reached: train.py:40 torch.compile(Net)\n"
        "   = help: Keep the value a tensor (drop `.item()`).\n"
        "   = dynamo: GB0124 Unsupported Tensor.item() call with capture_scalar_outputs=False\n"
        "   = check: CL101 tensor-item is confirmed; `compilelint rule CL101`\n"
        "\n"
        "Refuted: Dynamo traced these lines, and nothing of the kind happened (1):\n"
        "  src/model.py:30:17: CL201 `x.sum().item()` reads a tensor back into Python\n"
        "\n"
        "budget max-breaks = 0: broken, found 1\n"
        "\n"
        "Found 1 cause (1 graph break); hazards in source: 1 confirmed, 1 refuted.\n"
    )


def test_a_piece_without_a_graph_says_so() -> None:
    frames = (FrameCost("a.py", 1, "empty", 1, 0.4, 0), FrameCost("a.py", 9, "dropped", 0, 0.3))
    text = render_run(report(run=run(frames=frames)))
    assert "    0.40 s  empty a.py:1, no graph\n    0.30 s  dropped a.py:9, no graph\n" in text


def test_a_run_without_trouble_says_so() -> None:
    text = render_run(report(run=CLEAN))
    assert text.splitlines()[-1] == "Nothing broke: no graph break, no recompile, no function left out."


def test_a_run_that_compiled_nothing_says_so() -> None:
    nothing = run(compilations=0, compile_calls=0, torch="", frames=(), budgets=(), notes=())
    text = render_run(report(run=nothing))
    assert text.startswith("Run train.py --steps 4 (torch.compile was not loaded; exit code 0)\n")
    assert text.splitlines()[-1].startswith("Nothing was compiled: no call of `torch.compile` was seen")
    text = render_run(report(run=replace(nothing, compile_calls=1, torch="2.13.0")))
    assert text.splitlines()[-1].startswith("Nothing was compiled: what the program gave to `torch.compile`")
    assert text.splitlines()[-1].endswith(" (`compilelint rule CL908`).")


def test_a_run_that_was_cut_off_says_so_first() -> None:
    cut = run(cut_off=True, ended="killed by SIGKILL")
    text = render_run(report(finding(verdict="not-reached"), observations=(observation(),), run=cut))
    assert text.splitlines()[1] == "The run was cut off: this is what was seen until then."
    assert "not reached before the end (1):" in text


def test_what_could_not_be_read_is_shown_at_the_top_and_in_the_summary() -> None:
    text = render_run(report(run=run(unreadable=("guards: odd",))))
    assert "could not be read: guards: odd\n" in text
    assert "this proves nothing" in text.splitlines()[-1]


def test_without_a_finding_dynamos_reason_and_advice_are_shown() -> None:
    text = render_run(report(observations=(observation(verdict="runtime-only"),), run=run()))
    assert "src/model.py:12: graph break: `.item()` reads a tensor's value back into Python\n" in text
    assert "= help: Keep the value a tensor.\n" in text
    assert "= check" not in text
    assert "= rule: CL901: no rule predicted it; `compilelint rule CL901`\n" in text
    assert text.splitlines()[-1].endswith("; 1 that no rule predicted.")


def test_without_a_check_nothing_is_said_of_predictions() -> None:
    text = render_run(report(observations=(observation(type="recompile", gb_id=None),), run=run()))
    assert "= rule: CL903: `compilelint rule CL903`\n" in text
    assert "predicted" not in text


def test_each_dropped_frame_is_named() -> None:
    frames = [StackFrame("src/model.py", line, name) for line, name in ((10, "Net.forward"), (30, "score"))]
    dropped = observation(frame_dropped=True, aggravated_by=("inside a loop",), dropped=tuple(frames[:1]))
    text = render_run(report(observations=(dropped,), run=run()), width=120)
    assert (
        "= worse: inside a loop: Dynamo drops all of `Net.forward` (src/model.py:10), "
        "which runs without torch.compile\n"
    ) in text
    both = render_run(report(observations=(replace(dropped, dropped=tuple(frames)),), run=run()), width=140)
    assert "`Net.forward` (src/model.py:10), all of `score` (src/model.py:30), which run without" in both
    many = render_run(report(observations=(replace(dropped, dropped=tuple(frames * 3)),), run=run()), width=400)
    assert "all of `score` (src/model.py:30) and 2 more, which run without torch.compile\n" in many


def test_what_only_some_ranks_did_stands_out() -> None:
    one = observation(ranks=(1,))
    text = render_run(report(observations=(one,), run=run(ranks=(0, 1))))
    assert "= ranks: only rank 1 of 2: the others wait meanwhile\n" in text
    assert ", 2 ranks;" in text.splitlines()[0]
    both = render_run(report(observations=(observation(ranks=(0, 1)),), run=run(ranks=(0, 1))))
    assert "= ranks" not in both
    some = render_run(report(observations=(observation(ranks=(1, 2)),), run=run(ranks=(0, 1, 2))))
    assert "only ranks 1, 2 of 3" in some


def test_the_route_leads_through_the_users_code_only() -> None:
    deep = observation(
        stack=(
            StackFrame("train.py", 40, "main"),
            StackFrame("train.py", 12, "step"),
            StackFrame("/env/lib/python3.11/site-packages/torch/nn/modules/module.py", 1776, "_call_impl"),
            StackFrame("src/model.py", 12, "forward"),
        ),
        inside=1,
    )
    text = render_run(report(observations=(deep,), run=run()))
    assert "= reached: train.py:40 torch.compile(Net) → train.py:12 step\n" in text


def _deep(*own: int) -> Observation:
    """Something in the eighth function of a library, with lines of the user's own at these steps from the call on."""
    library = "/env/lib/python3.11/site-packages/lib/code.py"
    stack = [StackFrame("src/model.py" if step in own else library, step, f"f{step}") for step in range(9)]
    owner = stack[max(own)] if own else None
    return observation(path=library, line=8, source_line="", stack=tuple(stack), inside=0, owner=owner)


@pytest.mark.parametrize(
    ("own", "route"),
    [
        ((), "(4 more) → lib/code.py:4 f4 → lib/code.py:5 f5 → lib/code.py:6 f6 → lib/code.py:7 f7"),
        ((0,), "src/model.py:0 f0 → (3 more) → lib/code.py:4 f4 → lib"),
        ((0, 2), "(2 more) → src/model.py:2 f2 → (1 more) → lib/code.py:4 f4 → lib"),
        ((3,), "(3 more) → src/model.py:3 f3 → lib/code.py:4 f4 → lib"),
        ((4,), "(4 more) → src/model.py:4 f4 → lib/code.py:5 f5 → lib"),
    ],
)
def test_of_a_long_route_the_user_s_own_line_is_told(own: tuple[int, ...], route: str) -> None:
    text = render_run(report(observations=(_deep(*own),), run=run()), width=400)
    assert f"torch.compile(Net) → {route}" in text


def test_a_library_is_called_by_its_name() -> None:
    inside = observation(path="/env/lib/python3.11/site-packages/lib/code.py", source_line="")
    text = render_run(report(observations=(inside,), run=run()))
    assert "\nlib/code.py:12: graph break" in text
    assert "= cost: 3 times, 0.1 s of compiling\n" in text


def test_recompiles_of_one_cause_are_one_block() -> None:
    first = observation(
        type="recompile", line=10, hits=1, title="x", variable="x", change="size 8 5", hits_after_warmup=1
    )
    second = observation(
        type="recompile", line=20, hits=2, title="y", variable="y", change="size 8 5", hits_after_warmup=2
    )
    text = render_run(report(observations=(first, second), run=run()))
    assert "= also: 2 recompiles at src/model.py:20\n" in text
    assert "Found 1 cause (1 recompile)" in text


def test_what_else_changed_in_a_variable_is_said_without_each_value() -> None:
    first = observation(type="recompile", reason="the dtype of `x` was A, now B", variable="x", title="a")
    others = [
        replace(first, title="b", line=20, reason="the dtype of `x` was B, now A", hits=1),
        replace(first, title="c", line=20, reason="`x` dimension 0 was 1, now 2", hits=2),
        replace(first, title="d", line=30, reason="optional `x` is None now", hits=1),
    ]
    text = render_run(report(observations=(first, *others), run=run()), width=120)
    assert "= also: 2 recompiles at src/model.py:20: `x` dimension 0 was 1, now 2\n" in text
    assert "= also: 1 recompile at src/model.py:20\n" in text
    assert "= also: 1 recompile at src/model.py:30, for other changes of it\n" in text
    shared = replace(first, change="size 8 5")
    text = render_run(report(observations=(shared, replace(shared, path="<string>", title="d", hits=1)), run=run()))
    assert "= also: 1 recompile in code made at run time\n" in text


def test_a_change_that_many_share_has_no_advice_of_one_of_them() -> None:
    predicted = finding(effect="recompile", suggestion="Collect it outside.", verdict="confirmed")
    first = observation(type="recompile", variable="x", title="x", change="size 8 5", advice="Pad.")
    second = replace(first, line=20, variable="y", title="y", finding=predicted.fingerprint)
    text = render_run(report(predicted, observations=(first, second), run=run()))
    assert "= help: Pad." in text
    assert "Collect it outside" not in text


def test_a_break_below_a_predicted_call_is_shown_at_the_call() -> None:
    step = finding(message="`opt.step()` is called", source_line="    opt.step()", column=5, end_column=15)
    library = "/env/lib/python3.11/site-packages/lib/code.py"
    below = observation(
        path=library,
        line=79,
        reason="it asks for it",
        finding=step.fingerprint,
        owner=StackFrame(step.path, step.line, "train"),
        source_line="",
    )
    text = render_run(report(step, observations=(below,), run=run()))
    assert "\nsrc/model.py:12: graph break: `opt.step()` is called\n" in text
    assert "12 |     opt.step()\n   |     ^^^^^^^^^^ 3 times" in text
    assert "= inside: lib/code.py:79: it asks for it\n" in text


def test_of_a_finding_in_a_package_the_run_knows_the_place_better() -> None:
    places = (LibraryPlace("lib/code.py", 30, 30, "f"), LibraryPlace("lib/code.py", 79, 79, "g"))
    call = finding(message="it is read, at lib/code.py:30 and 1 more place", library=places, verdict="confirmed")
    second = observation(
        path="/env/lib/python3.11/site-packages/lib/code.py",
        line=79,
        reason="it asks for it",
        finding=call.fingerprint,
        owner=StackFrame(call.path, call.line, "forward"),
        source_line="",
    )
    text = render_run(report(call, observations=(second,), run=run()))
    assert "\nsrc/model.py:12: graph break: it asks for it\n" in text
    assert "= inside: lib/code.py:79\n" in text
    assert "code.py:30" not in text


def test_a_decorator_does_not_say_which_function_it_is() -> None:
    skipped = observation(type="frame-skipped", function="made.<locals>.forward", source_line="    @wraps(f)")
    nested = replace(skipped, function=f"{'made.<locals>.' * 4}forward")
    assert "^^^^^^^^^ `made.<locals>.forward`, 3 times" in render_run(report(observations=(skipped,), run=run()))
    assert "^^^^^^^^^ `forward`, 3 times" in render_run(report(observations=(nested,), run=run()))


def test_several_kinds_of_blocks_are_told_under_one_call() -> None:
    blocks = observation(type="repeated-blocks", title="3 Block in a", severity="info")
    text = render_run(report(observations=(blocks, replace(blocks, title="4 Block in b")), run=run()))
    assert "= also: the same holds for 4 Block in b" in text
    assert " 0.1 s of compiling the whole model\n" in text
    assert "= reached" not in text


def test_a_paragraph_is_no_name_for_a_break() -> None:
    old = observation(gb_id=None, title=f"Not supported {'at all ' * 20}. For more see https://pytorch.org/docs")
    assert "https" not in render_run(report(observations=(old,), run=run()))


def test_several_causes_are_announced_and_what_follows_from_another_says_so() -> None:
    drop = observation(frame_dropped=True, dropped=(StackFrame("src/model.py", 3, "Net.forward"),))
    limit = observation(
        type="recompile-limit",
        severity="error",
        line=30,
        function="Block.forward",
        stack=(StackFrame("src/model.py", 12, "Net.forward"), StackFrame("src/model.py", 30, "Block.forward")),
        inside=0,
    )
    text = render_run(report(observations=(limit, drop), run=run()))
    assert "\n\n2 causes, the one to change first on top:\n\nsrc/model.py:12: graph break: " in text
    assert "= after: the break at src/model.py:12 dropped a function that calls this one" in text


def test_what_is_accepted_is_one_line() -> None:
    text = render_run(report(observations=(observation(accepted=True),), run=run(budgets=())))
    assert "Accepted by comments in the source (1):\n  src/model.py:12: graph break: `.item()`" in text
    assert text.splitlines()[-1].startswith("Nothing broke")


def test_files_of_other_programs_are_only_counted() -> None:
    other = finding(path="other.py", verdict="not-reached", fingerprint="a" * 16)
    silent = finding(path="other.py", line=3, effect="wrong-result", fingerprint="b" * 16)
    text = render_run(report(other, silent, observations=(observation(),), run=run()))
    assert "1 more hazard in 1 file that this run never came to" in text
    assert "other.py:" not in text


def test_kept_budgets_are_shown_too() -> None:
    budgets = (Budget("max-breaks", 2, 1), Budget("max-compile-seconds", 2.5, 1.25))
    text = render_run(report(run=run(budgets=budgets)))
    assert "budget max-breaks = 2: kept, found 1\nbudget max-compile-seconds = 2.5: kept, found 1.2\n" in text


def test_colour_only_adds_codes_and_nothing_reaches_the_terminal_raw() -> None:
    hostile = observation(
        reason="\x1b[2J",
        advice="\x1b[8m",
        path="a\x1b.py",
        title="\x9b31m",
        compiled_by="\x07",
        source_line="\x1b",
    )
    made = report(
        observations=(hostile,),
        errors=(Problem("b.py", "bad\x1b", 3),),
        run=run(program="x\x1b", ended="e\x1b", notes=("n\x1b",), unreadable=("u\x1b",)),
    )
    text = render_run(made)
    assert all(line.isprintable() for line in text.splitlines())
    assert re.sub(r"\x1b\[[0-9;]*m", "", render_run(made, color=True)) == text


@pytest.mark.parametrize("width", [60, 100])
def test_notes_keep_within_the_width(width: int) -> None:
    long = observation(
        advice="Do this instead of that. " * 12,
        stack=tuple(StackFrame(f"src/package/module_{number}.py", number, "function") for number in range(1, 9)),
    )
    block = render_run(report(observations=(long,), run=CLEAN), width=width).split("\n\n")[1]
    assert max(map(width_of, block.splitlines()[1:])) <= width


def test_a_report_without_a_run_is_not_for_here() -> None:
    with pytest.raises(ValueError, match="without a run"):
        render_run(report())


def test_what_torch_does_to_itself_is_one_line_and_no_cause() -> None:
    inner = observation(severity="info", path="/env/lib/python3.11/typing.py", type="frame-skipped")
    text = render_run(report(observations=(inner,), run=run(budgets=())))
    assert "Inside torch, Python and what they import: nothing of yours to change (1):\n" in text
    assert "\n  python3.11/typing.py:12: not compiled: " in text
    assert text.splitlines()[-1].startswith("Nothing broke")


def test_of_what_is_nothing_to_change_a_few_lines_are_enough() -> None:
    inner = tuple(
        observation(severity="info", path=f"/env/lib/python3.11/site-packages/sympy/m{number}.py", type="frame-skipped")
        for number in range(20)
    )
    text = render_run(report(observations=inner, run=run(budgets=())))
    assert "nothing of yours to change (20):\n" in text
    assert text.count("sympy/m") == 8
    assert "  … and 12 more: --format json lists all\n" in text
