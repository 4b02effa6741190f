"""Session files: what is written is read again, and a file that was cut off loses only its last line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    KINDS,
    CompileEnd,
    Footer,
    FrameSkipped,
    GraphBreak,
    GuardValue,
    Header,
    LinesTraced,
    Recompile,
)
from compilelint.runtime.session import (
    SCHEMA_VERSION,
    SessionError,
    from_json,
    line_ranges,
    read_session,
    to_line,
)
from compilelint.runtime.session_files import child_path, session_files

HEADER = Header(
    schema_version=SCHEMA_VERSION,
    compilelint="0.1.0",
    program=("train.py", "--steps", "2"),
    cwd="/project",
    python="3.11.4",
    host="node",
    pid=7,
    parent=None,
    rank=1,
    local_rank=None,
    world_size=2,
    started=1000.5,
    settings={"strict": False, "backend": "eager", "stop_after": None},
)
PLACE = StackFrame("/project/train.py", 12, "Net.forward")
BREAK = GraphBreak(
    at=1.25,
    target=0,
    call=1,
    compile_id="0/0",
    code=PLACE,
    stack=(StackFrame("/project/train.py", 40, "<module>"), PLACE),
    gb_type="Unsupported Tensor.item() call",
    reason="…",
    gb_id="GB0124",
    wrapped_by=("graph break in loop",),
)
RECOMPILE = Recompile(
    at=2,
    compile_id="0/1",
    code=PLACE,
    guards=("L['self'].step == 3",),
    values=(GuardValue(source="L['self'].step", expected="3", actual="4"),),
)
END = Footer(ended=1003.0, exit_code=0, calls=(3,))


def _write(path: Path, *records: object, tail: str = "") -> Path:
    path.write_text("".join(to_line(record) for record in records) + tail, encoding="utf-8")  # type: ignore[arg-type]
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    end = CompileEnd(at=3.0, compile_id="0/0", code=PLACE, seconds=0.5, restart_reasons=("a", "b"))
    lines = LinesTraced(at=3.5, path="/project/train.py", ranges=((1, 3), (7, 7)))
    session = read_session(_write(tmp_path / "run.jsonl", HEADER, BREAK, RECOMPILE, end, lines, END))
    assert session.header == HEADER
    assert session.events == (BREAK, RECOMPILE, end, lines)
    assert session.footer == END
    assert not session.cut_off


def test_a_line_that_was_being_written_when_the_process_died_is_left_out(tmp_path: Path) -> None:
    session = read_session(_write(tmp_path / "run.jsonl", HEADER, BREAK, tail=to_line(RECOMPILE)[:40]))
    assert session.events == (BREAK,)
    assert session.cut_off
    assert session.unreadable == ()


def test_a_killed_process_was_cut_off_though_the_launcher_wrote_how_it_ended(tmp_path: Path) -> None:
    path = _write(tmp_path / "run.jsonl", HEADER, BREAK, Footer(ended=1001.0, signal=9, from_launcher=True))
    assert read_session(path).cut_off


def test_what_the_process_knew_of_its_end_is_kept_when_the_launcher_adds_to_it(tmp_path: Path) -> None:
    own = Footer(ended=1003.0, exception="ValueError: no", calls=(3,))
    path = _write(tmp_path / "run.jsonl", HEADER, own, Footer(ended=1004.0, exit_code=1, from_launcher=True))
    assert read_session(path).footer == Footer(ended=1004.0, exit_code=1, exception="ValueError: no", calls=(3,))


def test_what_cannot_be_read_in_the_middle_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(to_line(HEADER) + "{broken\n" + '{"kind": "news"}\n' + to_line(BREAK) + to_line(END))
    session = read_session(path)
    assert session.events == (BREAK,)
    assert len(session.unreadable) == 2
    assert "run.jsonl:2" in session.unreadable[0]
    assert "news" in session.unreadable[1]


def test_fields_of_a_newer_recorder_are_left_out() -> None:
    value = json.loads(to_line(BREAK)) | {"mood": "fine"}
    assert from_json(value) == BREAK


def test_a_missing_field_and_a_wrong_type_are_errors() -> None:
    value = json.loads(to_line(BREAK))
    with pytest.raises(ValueError, match="int expected"):
        from_json(value | {"call": "one"})
    del value["stack"]
    with pytest.raises(ValueError, match="stack"):
        from_json(value)


@pytest.mark.parametrize("text", ["", "hello\n", '{"kind": "end", "ended": 1.0}\n'])
def test_a_file_that_is_no_session_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(SessionError, match=r"run\.jsonl"):
        read_session(path)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(json.loads(to_line(HEADER)) | {"schema_version": 99}) + "\n")
    with pytest.raises(SessionError, match="schema 99"):
        read_session(path)


def test_the_files_of_a_run_are_found_by_file_and_by_directory(tmp_path: Path) -> None:
    main = _write(tmp_path / "run[1].jsonl", HEADER)
    child = _write(child_path(main, 99), HEADER)
    other = _write(tmp_path / "run1.child-5.jsonl", HEADER)
    assert session_files(main) == (main, child)
    assert set(session_files(tmp_path)) == {main, child, other}


def test_lines_become_ranges() -> None:
    assert line_ranges([9, 1, 2, 3, 2, 7]) == ((1, 3), (7, 7), (9, 9))
    assert line_ranges([]) == ()


def test_every_kind_is_of_another_record() -> None:
    assert len(set(KINDS.values())) == len(KINDS)
    assert FrameSkipped in KINDS.values()


def test_a_file_that_the_program_called_by_a_relative_path_is_found_where_it_began(tmp_path: Path) -> None:
    """`-m cProfile train.py` and `exec(compile(text, "train.py", "exec"))` name code so."""
    (tmp_path / "train é.py").touch()
    names = ("train é.py", "./train é.py", "gone.py", "<string>", str(tmp_path / "other.py"))
    events = [
        *(LinesTraced(at=0.0, path=name, ranges=((1, 2),)) for name in names),
        FrameSkipped(at=0.0, code=StackFrame(names[0], 1, "f"), reason="", stack=(StackFrame(names[1], 2, "g"),)),
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(map(to_line, (replace(HEADER, cwd=str(tmp_path)), *events))))
    found = str(tmp_path / "train é.py")
    *traced, skipped = read_session(path).events
    assert [each.path for each in traced if isinstance(each, LinesTraced)] == [found, found, *names[2:]]
    assert isinstance(skipped, FrameSkipped)
    assert {skipped.code.path, skipped.stack[0].path} == {found}
