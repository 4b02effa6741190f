"""What the recorder writes: at once, with the compiled call it belongs to, and each process for itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import CompileCall, CudagraphSkip, Event, FirstResult, TorchLoaded
from compilelint.runtime.recorder import Recorder, StopRun
from compilelint.runtime.session import Session, read_session
from compilelint.runtime.session_files import session_files

SKIP = CudagraphSkip(at=0.0, reason="cpu device")
CALL = CompileCall(at=0.0, number=0, function="f", what="function", code=None, stack=(), backend="eager")


def _recorder(tmp_path: Path, **options: object) -> Recorder:
    return Recorder(tmp_path / "s.jsonl", ("train.py",), {"strict": True}, **options)  # type: ignore[arg-type]


def _read(tmp_path: Path) -> Session:
    return read_session(tmp_path / "s.jsonl")


def test_an_event_is_in_the_file_before_anything_is_closed(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    recorder.emit(SKIP)
    session = _read(tmp_path)
    assert [type(event) for event in session.events] == [CudagraphSkip]
    assert session.header.program == ("train.py",)
    assert session.header.settings == {"strict": True}
    assert session.header.pid == os.getpid()
    assert session.cut_off
    recorder.close()
    assert not _read(tmp_path).cut_off


def test_events_belong_to_the_outermost_call_and_its_number(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    outer, inner = recorder.new_target(), recorder.new_target()
    for _ in range(2):
        leave_outer = recorder.enter(outer)
        leave_inner = recorder.enter(inner)
        recorder.emit(SKIP)
        leave_inner()
        leave_outer()
    recorder.emit(SKIP)
    recorder.close()
    session = _read(tmp_path)
    placed = [(event.target, event.call) for event in session.events if isinstance(event, CudagraphSkip)]
    assert placed == [(outer, 1), (outer, 2), (None, 0)]
    first = [(event.target, event.call) for event in session.events if isinstance(event, FirstResult)]
    assert first == [(inner, 1), (outer, 1)]
    assert session.footer is not None
    assert session.footer.calls == (2, 2)


def test_a_file_of_the_programs_that_gets_the_number_of_ours_is_left_alone(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    descriptor = recorder._descriptor
    assert descriptor is not None
    os.close(descriptor)  # as a daemon does that closes all it was born with
    theirs = os.open(tmp_path / "theirs.txt", os.O_WRONLY | os.O_CREAT)
    assert theirs == descriptor
    recorder.emit(SKIP)
    recorder.close()
    os.write(theirs, b"data")
    os.close(theirs)
    assert (tmp_path / "theirs.txt").read_bytes() == b"data"
    session = _read(tmp_path)
    assert len(session.events) == 1
    assert session.footer is not None


def test_a_child_that_cannot_write_is_not_disturbed(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "gone" / "s.jsonl", ("train.py",), {}, parent=os.getpid())
    recorder.emit(SKIP)
    recorder.close()
    assert not (tmp_path / "gone").exists()


def test_a_first_call_that_raises_is_told_as_such(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    leave = recorder.enter(recorder.new_target())
    try:
        raise ValueError
    except ValueError:
        leave()
    recorder.close()
    (event,) = _read(tmp_path).events
    assert isinstance(event, FirstResult)
    assert not event.ok


def test_the_run_is_stopped_after_so_many_calls_of_the_outermost(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path, stop_after=2)
    outer, inner = recorder.new_target(), recorder.new_target()
    for _ in range(2):
        leave = recorder.enter(outer)
        recorder.enter(inner)()
        leave()
    with pytest.raises(StopRun) as stop:
        recorder.enter(outer)
    assert stop.value.code == 0
    recorder.close()
    footer = _read(tmp_path).footer
    assert footer is not None
    assert footer.stopped == "stop-after"
    assert footer.calls == (2, 2)


def test_the_listener_hears_what_is_written(tmp_path: Path) -> None:
    heard: list[Event] = []
    recorder = _recorder(tmp_path, listener=heard.append)
    recorder.emit(SKIP)
    recorder.declare(CALL)
    recorder.close()
    assert heard == list(_read(tmp_path).events)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_writes_a_file_of_its_own_that_begins_with_what_was_declared(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    recorder.declare(TorchLoaded(at=0.0, version="2.13.0"))
    recorder.declare(CALL)
    recorder.emit(SKIP)
    child = os.fork()
    if child == 0:
        recorder.emit(SKIP)
        recorder.emit(SKIP)
        recorder.close()
        os._exit(0)
    os.waitpid(child, 0)
    silent = os.fork()
    if silent == 0:
        recorder.declare(CALL)
        recorder.close()
        os._exit(0)
    os.waitpid(silent, 0)
    recorder.close()
    main, of_child = map(read_session, session_files(tmp_path / "s.jsonl"))
    assert [type(event) for event in main.events] == [TorchLoaded, CompileCall, CudagraphSkip]
    assert of_child.header.parent == os.getpid()
    assert of_child.header.pid == child
    assert [type(event) for event in of_child.events] == [
        TorchLoaded,
        CompileCall,
        CudagraphSkip,
        CudagraphSkip,
    ]
    assert of_child.footer is not None


def test_the_exception_that_ended_the_program_is_in_the_footer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = _recorder(tmp_path)
    monkeypatch.setattr(sys, "last_value", ValueError("no"), raising=False)
    recorder.close()
    footer = _read(tmp_path).footer
    assert footer is not None
    assert footer.exception == "ValueError: no"


def test_calls_under_a_stance_that_compiles_nothing_are_counted(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    first = recorder.new_target()
    recorder.counter(first).count()
    recorder.compiles(allowed=False)
    second = recorder.new_target()
    for target in (first, first, second):
        recorder.counter(target).count()
    recorder.compiles(allowed=True)
    recorder.counter(second).count()
    recorder.compiles(allowed=False)
    recorder.compiles(allowed=False)
    recorder.counter(second).count()
    recorder.close()
    footer = _read(tmp_path).footer
    assert footer is not None
    assert (footer.calls, footer.only_run) == ((3, 3), (2, 2))


def test_of_calls_that_torch_may_compile_nothing_is_said(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    recorder.counter(recorder.new_target()).count()
    recorder.compiles(allowed=True)
    recorder.close()
    footer = _read(tmp_path).footer
    assert footer is not None
    assert footer.only_run == ()


def test_what_was_recorded_before_the_process_executed_another_program_is_kept(tmp_path: Path) -> None:
    """`os.execv` runs no atexit: the file has no footer, and the next image of the process is the main one again."""
    for reason in ("first image", "second image", "third image"):
        recorder = _recorder(tmp_path)
        recorder.emit(CudagraphSkip(at=0.0, reason=reason))
    recorder.close()
    main, *earlier = (read_session(path) for path in session_files(tmp_path / "s.jsonl"))
    assert [event.reason for event in main.events if isinstance(event, CudagraphSkip)] == ["third image"]
    kept = [event.reason for each in earlier for event in each.events if isinstance(event, CudagraphSkip)]
    assert kept == ["first image", "second image"]
    assert main.header.parent is None
    assert [(each.header.parent, each.cut_off) for each in earlier] == 2 * [(os.getpid(), False)]


def test_a_recording_that_came_to_its_end_is_written_over(tmp_path: Path) -> None:
    for _ in range(2):
        recorder = _recorder(tmp_path)
        recorder.emit(SKIP)
        recorder.close()
    assert session_files(tmp_path / "s.jsonl") == (tmp_path / "s.jsonl",)


def test_the_file_of_another_process_is_written_over(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    recorder.emit(SKIP)
    path = tmp_path / "s.jsonl"
    path.write_text(path.read_text().replace(f'"pid": {os.getpid()}', '"pid": 1'))
    _recorder(tmp_path)
    assert session_files(path) == (path,)


def test_a_folder_that_is_not_there_is_not_the_programs_problem(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "no" / "s.jsonl", ("train.py",), {})
    recorder.emit(SKIP)
    recorder.close()
    assert list(tmp_path.iterdir()) == []


def test_stack_frames_are_written_as_they_are(tmp_path: Path) -> None:
    recorder = _recorder(tmp_path)
    place = StackFrame("/a/ü.py", 3, "f")
    recorder.emit(CudagraphSkip(at=0.0, reason="…", stack=(place,)))
    recorder.close()
    (event,) = _read(tmp_path).events
    assert isinstance(event, CudagraphSkip)
    assert event.stack == (place,)
    assert event.reason == "…"
