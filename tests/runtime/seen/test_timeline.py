from __future__ import annotations

from compilelint.report.model import Moment
from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileStart, FirstResult, Footer
from compilelint.runtime.seen import timeline
from compilelint.runtime.seen.reading import read
from compilelint.runtime.session import Session
from tests.runtime.make import FORWARD, MAIN, STEP, end, item, recompile, session

PART = StackFrame(MAIN, 12, "torch_dynamo_resume_in_step_at_12")


def start(compile_id: str = "0/0", code: StackFrame = STEP, at: float = 0.5) -> CompileStart:
    return CompileStart(at=at, target=0, call=1, compile_id=compile_id, code=code)


def moments_of(*sessions: Session) -> tuple[Moment, ...]:
    return read(sessions, lambda path: True).moments


def test_a_compilation_is_where_it_began_and_as_long_as_it_took() -> None:
    (moment,) = moments_of(session(start(at=0.5), end(at=1.75, seconds=1.25)))
    assert (moment.type, moment.kind, moment.at, moment.seconds, moment.ok) == ("compile", "first", 0.5, 1.25, True)
    assert (moment.function, moment.compiled_by) == ("step", "/app/train.py:40 torch.compile(step)")


def test_why_something_was_compiled() -> None:
    found = moments_of(
        session(
            *(start(), end()),
            *(start("1/0", PART), end("1/0", PART)),
            *(start("0/1"), recompile("n == 1", compile_id="0/1"), end("0/1")),
        )
    )
    assert [(each.compile_id, each.kind) for each in found if each.type == "compile"] == [
        ("0/0", "first"),
        ("1/0", "after-break"),
        ("0/1", "recompile"),
    ]


def test_a_backward_graph_is_of_the_function_whose_forward_it_belongs_to() -> None:
    backward = end("1/0", code=None, at=9.0, seconds=2.0, backward=True)
    found = moments_of(session(start("1/0", FORWARD), end("1/0", FORWARD), backward))
    assert [(each.kind, each.at, each.function) for each in found] == [
        ("first", 0.5, "Net.forward"),
        ("backward", 7.0, "Net.forward"),
    ]


def test_what_was_being_compiled_when_the_run_was_cut_off_lasts_until_it_was_heard_of_last() -> None:
    (moment, broken) = moments_of(session(start(at=0.5), item(at=3.0), whole=False))
    assert (moment.type, moment.seconds, moment.ok) == ("compile", 2.5, False)
    assert (broken.type, broken.at, broken.line) == ("graph-break", 3.0, 22)


def test_the_first_call_begins_before_its_result() -> None:
    (first,) = moments_of(session(FirstResult(at=3.0, target=0, call=1, seconds=2.0)))
    assert (first.type, first.at, first.seconds) == ("first-result", 1.0, 2.0)


def test_processes_that_overlap_share_a_clock() -> None:
    ranks = (session(start(), end(), started=1.0, rank=0), session(start(), end(), started=3.0, rank=1))
    assert [(each.process, each.at) for each in moments_of(*ranks)] == [(0, 0.5), (1, 2.5)]
    assert timeline.wall_seconds(ranks) == 8.0


def test_runs_one_after_another_have_clocks_of_their_own() -> None:
    runs = (
        session(start(), end(), started=1.0, footer=Footer(ended=5.0)),
        session(start(), end(), started=1001.0, footer=Footer(ended=1003.0)),
    )
    assert [each.at for each in moments_of(*runs)] == [0.5, 0.5]
    assert timeline.wall_seconds(runs) == 6.0
