"""What the recorder makes of Dynamo's own calls, in one run of observed.py under the real torch."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest

from compilelint.runtime import launcher
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    CompileError,
    CompileStart,
    Event,
    FirstResult,
    FrameSkipped,
    GraphBreak,
    GuardValue,
    LimitHit,
    LinesTraced,
    Recompile,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.session import Session, read_session

pytestmark = pytest.mark.slow

OBSERVED = Path(__file__).with_name("observed.py")
LINES = OBSERVED.read_text(encoding="utf-8").split("\n")
Kind = TypeVar("Kind", bound=Event)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("observed")
    code = inspect.cleandoc(
        f"""
        from pathlib import Path
        from compilelint.runtime import launcher
        print(launcher.run([{str(OBSERVED)!r}], Path("s.jsonl"), {{}}))
        """
    )
    root = Path(launcher.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert "exit_code=0" in done.stdout, done.stderr[-3000:]
    return read_session(folder / "s.jsonl")


def _all(session: Session, kind: type[Kind]) -> list[Kind]:
    return [event for event in session.events if isinstance(event, kind)]


def _of(events: Iterable[Kind], name: str) -> list[Kind]:
    return [event for event in events if getattr(event, "code", None) and event.code.function == name]  # type: ignore[attr-defined]


def _line(text: str) -> int:
    (found,) = [number for number, line in enumerate(LINES, 1) if text in line]
    return found


def test_this_torch_has_every_hook_and_all_was_read(session: Session) -> None:
    (loaded,) = _all(session, TorchLoaded)
    assert loaded.missing == ()
    assert loaded.settings["recompile_limit"] == 8
    assert _all(session, Unreadable) == []
    assert not session.cut_off


def test_each_call_of_torch_compile_is_told_with_its_place(session: Session) -> None:
    calls = _all(session, CompileCall)
    told = [
        (call.function, call.what, call.backend, call.dynamic, call.fullgraph, call.stack[-1].line) for call in calls
    ]
    assert told[:5] == [
        ("counted", "function", "eager", False, False, _line("dynamic=False)")),
        ("scaled", "function", "eager", None, False, _line('(backend="eager")(scaled)')),
        ("Net", "module", "aot_eager", None, False, _line("net.compile")),
        ("halves", "function", "eager", None, False, _line("torch.compile(halves")),
        ("whole", "function", "eager", None, True, _line("fullgraph=True")),
    ]
    assert [call.number for call in calls] == list(range(len(calls)))
    assert calls[2].code is not None
    assert (calls[2].code.function, calls[2].code.line) == ("Net.forward", _line("def forward"))
    assert calls[5].backend == "broken_backend"


def test_what_happens_belongs_to_the_call_in_which_it_happens(session: Session) -> None:
    (broken,) = _of(_all(session, GraphBreak), "counted")
    assert (broken.target, broken.call) == (0, 2)
    assert [event.call for event in _of(_all(session, CompileStart), "Net.forward")] == [1, 2, 3]
    assert session.footer is not None
    assert session.footer.calls[:4] == (2, 2, 3, 1)
    first = [event.target for event in _all(session, FirstResult)]
    assert first == sorted(set(first))


def test_a_break_says_where_and_why(session: Session) -> None:
    (broken,) = _of(_all(session, GraphBreak), "counted")
    assert (broken.gb_type, broken.gb_id) == ("Failed to trace builtin operator", "GB0059")
    assert (broken.stack[-1].path, broken.stack[-1].line) == (str(OBSERVED), _line('print("counted")'))
    assert broken.stack[-2].line == _line('compiled(ones, "print")')
    assert broken.code is not None
    assert broken.code.function == "counted"
    assert not broken.frame_dropped
    assert not broken.raised
    ((end, *_), *_) = [_of(_all(session, CompileEnd), "counted")]
    assert end.ok
    resumed = [
        event
        for event in _all(session, CompileStart)
        if event.code.function.startswith("torch_dynamo_resume_in_counted_at_")
    ]
    assert len(resumed) == 1


def test_a_break_in_a_loop_drops_the_frame(session: Session) -> None:
    (broken,) = _of(_all(session, GraphBreak), "halves")
    assert broken.frame_dropped
    assert broken.stack[-1].line == _line("if row.sum() > 0")
    assert broken.gb_type == "Data-dependent branching"
    assert broken.wrapped_by == ("graph break in loop",)
    (end,) = _of(_all(session, CompileEnd), "halves")
    assert not end.ok
    assert end.fail_type == "Unsupported"


def test_a_break_at_the_jump_of_a_long_condition_knows_the_line_of_what_is_asked(session: Session) -> None:
    (broken,) = _of(_all(session, GraphBreak), "picked")
    assert (broken.stack[-1].line, broken.asked) == (_line("x.exp()"), _line("if x.bool().any()"))


def test_a_break_under_fullgraph_is_one_that_was_raised(session: Session) -> None:
    (broken,) = _of(_all(session, GraphBreak), "whole")
    assert broken.raised
    assert not broken.frame_dropped
    assert broken.stack[-1].line == _line('print("whole")')


def test_a_recompile_says_what_changed(session: Session) -> None:
    (scaled,) = _of(_all(session, Recompile), "scaled")
    assert scaled.values == (GuardValue(source="factor", expected="2", actual="3.5"),)
    assert scaled.guard_stack[-1].line == _line("return x * factor")
    assert scaled.stack[-1].line == _line("times(ones, factor)")
    steps = [event.values[0] for event in _of(_all(session, Recompile), "Net.forward")]
    assert steps == [
        GuardValue(source="self.step", expected="0", actual="1"),
        GuardValue(source="self.step", expected="1", actual="2"),
    ]
    last = _of(_all(session, Recompile), "Net.forward")[-1]
    assert (last.compile_id, last.versions) == ("3/2", ("3/1", "3/0"))


def test_the_backward_graph_is_a_compilation_too(session: Session) -> None:
    forward = _of(_all(session, CompileEnd), "Net.forward")
    assert [end.ok for end in forward] == [True, True, True]
    assert all(end.seconds and end.seconds > 0 for end in forward)
    assert [end.ops for end in forward] == [2, 2, 2]
    backward = [end for end in _all(session, CompileEnd) if end.backward]
    assert [(end.compile_id, end.code) for end in backward] == [("3/0", None), ("3/1", None), ("3/2", None)]
    assert all(end.seconds and end.seconds > 0 for end in backward)


def test_a_failing_backend_is_told_raised_and_suppressed(session: Session) -> None:
    raised, suppressed = _of(_all(session, CompileError), "failing")
    assert (raised.suppressed, suppressed.suppressed) == (False, True)
    assert "no such operator" in raised.message
    assert raised.error == "BackendCompilerFailed"


def test_a_generator_is_given_up(session: Session) -> None:
    (skipped,) = _all(session, FrameSkipped)
    assert skipped.code.function == "produced"
    assert skipped.reason == "Attempt to trace generator"


def test_the_limit_is_told_with_the_guard_that_failed_last(session: Session) -> None:
    (hit,) = _all(session, LimitHit)
    assert (hit.limit, hit.value) == ("recompile_limit", 1)
    assert hit.reason.startswith("word == 'a'")


def _traced(session: Session) -> set[int]:
    return {
        line
        for event in _all(session, LinesTraced)
        if event.path == str(OBSERVED)
        for first, last in event.ranges
        for line in range(first, last + 1)
    }


def test_traced_lines_are_known_and_others_are_not(session: Session) -> None:
    traced = _traced(session)
    assert {_line("y = x.sin()"), _line("return y + 1"), _line("self.step += 1")} <= traced
    assert _line("return x.tan()") not in traced
    assert _line("yield x.sin()") not in traced


def test_a_branch_is_not_traced_where_only_the_jump_at_its_end_is(session: Session) -> None:
    traced = _traced(session)
    assert {_line("y = x.sinh()"), _line("x = y")} <= traced
    assert traced.isdisjoint({_line("y = y.asinh()"), _line("y = x.cosh()"), _line("x = x.acosh()")})
