from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CacheUse,
    CompileEnd,
    CompileError,
    CompileStart,
    CudagraphSkip,
    Event,
    GraphBreak,
    LimitHit,
    Recompile,
    TorchLoaded,
    Unreadable,
)
from compilelint.runtime.logs.torch_trace import PREFIX, read_torch_trace
from compilelint.runtime.seen import costs
from compilelint.runtime.session import Session, SessionError

BREAK = """\
Graph break in user code at /p/a.py:5
Graph Break Reason: Data-dependent branching
  Explanation: Detected data-dependent branching.
  Hint: Use `torch.cond`.

  Developer debug context: attempted to jump with TensorVariable()

 For more details about this graph break, please visit: https://site/gb/gb0170.html

User code traceback:
  File "/p/a.py", line 15, in <module>
    f(x)
  File "/p/a.py", line 5, in f
    if y.sum() > 0:

NoneType: None
"""
FRAME = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
START = {
    "dynamo_start": {
        "stack": [{"line": 15, "name": "<module>", "filename": 1}, {"line": 2, "name": "f", "filename": 1}]
    }
}
METRICS = {
    "co_name": "f",
    "co_filename": "/p/a.py",
    "co_firstlineno": 2,
    "entire_frame_compile_time_s": 0.5,
    "graph_op_count": 3,
    "guard_count": 8,
    "cache_size": 0,
    "has_guarded_code": True,
    "fail_type": None,
    "config_suppress_errors": False,
}
F = StackFrame("/p/a.py", 2, "f")


def record(content: dict[str, Any], payload: str | None = None, *, pid: int = 7, second: int = 0) -> str:
    """One record as `TorchLogsFormatter` writes it."""
    if payload is not None:
        content = {**content, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
    head = f"V1120 11:04:{second:02}.250000 {pid} torch/_dynamo/x.py:1] {json.dumps(content)}\n"
    return head + ("" if payload is None else "".join(f"\t{line}\n" for line in payload.split("\n")))


def artifact(name: str, payload: str, frame: dict[str, int] = FRAME, **where: int) -> str:
    return record({"artifact": {"name": name, "encoding": "string"}, **frame}, payload, **where)


NAMES = record({"str": ["/p/a.py", 1]})
BEGUN = NAMES + record({**START, **FRAME})


def metrics(frame: dict[str, int] = FRAME, **changed: Any) -> str:
    return record({"compilation_metrics": {**METRICS, **changed}, **frame}, second=2)


def read(folder: Path, text: str, name: str = f"{PREFIX}abc.log") -> Session:
    (folder / name).write_text(text)
    (session,) = read_torch_trace(folder)
    return session


def events(session: Session) -> list[Event]:
    return [each for each in session.events if not isinstance(each, TorchLoaded)]


def test_a_compilation_is_read(tmp_path: Path) -> None:
    version = artifact("torch_version", json.dumps({"pytorch_version": "2.13.0+cpu"}, indent=0))
    session = read(tmp_path, version + BEGUN + metrics(python_version="3.11.7 (main)"))
    assert session.events == (
        TorchLoaded(at=0.0, version="2.13.0+cpu"),
        CompileStart(at=0.0, compile_id="0/0", code=F, stack=(StackFrame("/p/a.py", 15, "<module>"),)),
        CompileEnd(at=2.0, compile_id="0/0", code=F, seconds=0.5, ok=True, ops=3, guards=8, cache_size=0),
    )
    assert (session.header.pid, session.header.rank, session.header.python) == (7, None, "3.11.7")
    assert not session.cut_off
    assert session.unreadable == ()


def test_frames_of_torch_are_not_callers(tmp_path: Path) -> None:
    names = record({"str": ["/env/site-packages/torch/_dynamo/eval_frame.py", 2]})
    stack = [
        {"line": 15, "name": "<module>", "filename": 1},
        {"line": 1166, "name": "compile_wrapper", "filename": 2},
        {"line": 2, "name": "f", "filename": 1},
    ]
    session = read(tmp_path, NAMES + names + record({"dynamo_start": {"stack": stack}, **FRAME}))
    (start,) = events(session)
    assert isinstance(start, CompileStart)
    assert [each.line for each in start.stack] == [15]


def test_a_graph_break_is_read(tmp_path: Path) -> None:
    (_, found) = events(read(tmp_path, BEGUN + artifact("dynamo_graph_break_reason", BREAK)))
    assert isinstance(found, GraphBreak)
    assert (found.gb_type, found.gb_id, found.code) == ("Data-dependent branching", "GB0170", F)
    assert found.stack[-1] == StackFrame("/p/a.py", 5, "f")
    assert not found.raised


def test_recompiles_are_read_with_one_reason_and_with_many(tmp_path: Path) -> None:
    one = '0/0: n == 1    # return y * n\nUser stack trace:\n  File "/p/a.py", line 8, in f\n    return y * n'
    many = "[\n" + ",\n".join(map(json.dumps, ["0/1: tensor 'x' rank mismatch", one])) + "\n]"
    second, third = ({**FRAME, "frame_compile_id": number} for number in (1, 2))
    text = artifact("recompile_reasons", one, second) + artifact("recompile_reasons", many, third)
    (_, first, last) = events(read(tmp_path, BEGUN + text))
    assert isinstance(first, Recompile)
    assert (first.compile_id, first.code, first.versions) == ("0/1", F, ("0/0",))
    assert first.guards == ("n == 1    # return y * n",)
    assert first.guard_stack == (StackFrame("/p/a.py", 8, "f"),)
    assert isinstance(last, Recompile)
    assert last.versions == ("0/1", "0/0")
    assert last.guards[0] == "tensor 'x' rank mismatch"


def test_ids_that_come_again_after_a_reset_are_of_other_frames(tmp_path: Path) -> None:
    other = {"dynamo_start": {"stack": [{"line": 30, "name": "g", "filename": 1}]}}
    again = {**FRAME, "frame_compile_id": 1}
    text = BEGUN + artifact("dynamo_graph_break_reason", BREAK) + record({**other, **FRAME})
    text += metrics(co_name="g", co_firstlineno=30, fail_type="BackendCompilerFailed", fail_reason="no")
    text += artifact("recompile_reasons", "0/0: n == 1", again)
    _, _, _, error, _, recompile = events(read(tmp_path, text))
    assert isinstance(error, CompileError), "the break was of the frame before"
    assert isinstance(recompile, Recompile)
    assert recompile.code == StackFrame("/p/a.py", 30, "g")


def test_a_forked_child_uses_the_names_of_its_parent(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}abc.log").write_text(BEGUN + record({**START, **FRAME}, pid=8))
    _, child = read_torch_trace(tmp_path)
    (start,) = events(child)
    assert isinstance(start, CompileStart)
    assert start.code == F


def test_a_recompile_costs_what_is_compiled_though_the_log_tells_its_reason_first(tmp_path: Path) -> None:
    second = {**FRAME, "frame_compile_id": 1}
    text = BEGUN + metrics() + artifact("recompile_reasons", "0/0: n == 1", second)
    session = read(tmp_path, text + record({**START, **second}) + metrics(second))
    assert [type(each) for each in events(session)][2:] == [CompileStart, Recompile, CompileEnd]
    assert list(costs.pieces(session.events).values()) == [0.5]


def test_a_recompile_of_an_unknown_frame_cannot_be_read(tmp_path: Path) -> None:
    (found,) = events(read(tmp_path, artifact("recompile_reasons", "0/0: n == 1")))
    assert isinstance(found, Unreadable)
    assert found.source.endswith(f"{PREFIX}abc.log:1")


def test_what_only_the_metrics_tell(tmp_path: Path) -> None:
    limit = "Dynamo recompile limit exceeded\n  Explanation: exceeding the recompile_limit cache size limit (currently set to 8)."  # noqa: E501
    raised = BREAK.partition("Reason: ")[2].partition("\nUser code")[0]
    text = BEGUN
    for number, changed in enumerate(
        [
            {"fail_type": "Unsupported", "fail_reason": limit, "recompile_reason": "0/7: n == 1"},
            {
                "fail_type": "Unsupported",
                "fail_reason": raised,
                "fail_user_frame_filename": "/p/a.py",
                "fail_user_frame_lineno": 5,
            },
            {
                "fail_type": "BackendCompilerFailed",
                "fail_reason": "no such operator",
                "config_suppress_errors": True,
            },
            {"cudagraph_skip_reason": "skipping cudagraphs due to mutated inputs"},
        ]
    ):
        text += metrics({**FRAME, "frame_compile_id": number}, **changed)
    found = [each for each in events(read(tmp_path, text)) if not isinstance(each, (CompileStart, CompileEnd))]
    hit, broken, failed, skipped = found
    assert isinstance(hit, LimitHit)
    assert (hit.limit, hit.value, hit.reason, hit.code) == ("recompile_limit", 8, "n == 1", F)
    assert isinstance(broken, GraphBreak)
    assert (broken.raised, broken.gb_id, broken.stack) == (True, "GB0170", (StackFrame("/p/a.py", 5, "f"),))
    assert isinstance(failed, CompileError)
    assert (failed.error, failed.suppressed) == ("BackendCompilerFailed", True)
    assert isinstance(skipped, CudagraphSkip)


def test_recompiles_and_limits_that_raised_are_in_the_metrics(tmp_path: Path) -> None:
    refused = "Recompiling function f in a.py:2\n    triggered by the following guard failure(s):\n    - 0/0: n == 1"
    text = BEGUN + metrics(fail_type="RecompileError", fail_reason=refused)
    text += metrics(fail_type="FailOnRecompileLimitHit", fail_reason="Hard failure due to fullgraph=True")
    text += metrics(fail_type="KeyboardInterrupt", fail_reason="")
    recompile, error, hit = (
        each for each in events(read(tmp_path, text)) if not isinstance(each, (CompileStart, CompileEnd))
    )
    assert isinstance(recompile, Recompile)
    assert (recompile.guards, recompile.versions, recompile.code) == (("n == 1",), ("0/0",), F)
    assert isinstance(error, CompileError)
    assert isinstance(hit, LimitHit)
    assert hit.raised


def test_a_break_that_was_logged_is_not_told_again_by_the_metrics(tmp_path: Path) -> None:
    text = BEGUN + artifact("dynamo_graph_break_reason", BREAK)
    text += metrics(fail_type="Unsupported", fail_reason="Data-dependent branching")
    kinds = [type(each) for each in events(read(tmp_path, text))]
    assert kinds == [CompileStart, GraphBreak, CompileEnd]


def test_caches_and_backward_graphs_are_read(tmp_path: Path) -> None:
    text = artifact("fx_graph_cache_hit", "{}") + artifact(
        "aotautograd_cache_bypass", json.dumps({"cache_bypass_reason": "a hook"})
    )
    hit, bypass, end = events(read(tmp_path, text + metrics(is_forward=False)))
    assert hit == CacheUse(at=0.0, cache="fx-graph", outcome="hit", compile_id="0/0")
    assert isinstance(bypass, CacheUse)
    assert (bypass.cache, bypass.outcome, bypass.reason) == ("aot-autograd", "bypass", "a hook")
    assert isinstance(end, CompileEnd)
    assert end.backward


def test_ranks_come_from_the_records_or_from_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "node1").mkdir()
    (tmp_path / "node0").mkdir()
    (tmp_path / "node1" / f"{PREFIX}rank_3_x.log").write_text(BEGUN)
    (tmp_path / "node0" / f"{PREFIX}y.log").write_text(BEGUN + record({"chromium_event": {}, "rank": 2}))
    with gzip.open(tmp_path / f"{PREFIX}rank_1_z.log.gz", "wt") as file:
        file.write(BEGUN)
    (tmp_path / "train.log").write_text("no log of torch\n")
    assert [each.header.rank for each in read_torch_trace(tmp_path)] == [1, 2, 3]


def test_joined_logs_are_told_apart_by_process(tmp_path: Path) -> None:
    """The lines of a payload stay together, but another process's records come between."""
    payload = artifact("dynamo_graph_break_reason", BREAK)
    cut = payload.index("\n\t\n") + 1
    other = record({**START, **FRAME}, pid=8) + artifact("dynamo_graph_break_reason", BREAK, pid=8)
    name = tmp_path / "all.log"
    name.write_text(BEGUN + record({"str": ["/p/a.py", 1]}, pid=8) + payload[:cut] + other + payload[cut:])
    first, second = read_torch_trace(name)
    for session in (first, second):
        assert [type(each) for each in events(session)] == [CompileStart, GraphBreak]
        assert not session.cut_off


def test_a_cut_off_log_tells_all_before_it(tmp_path: Path) -> None:
    whole = BEGUN + artifact("dynamo_graph_break_reason", BREAK)
    later = record({**START, "frame_id": 1, "frame_compile_id": 0})
    for cut in range(len(whole) + 1, len(whole) + len(later)):
        session = read(tmp_path, (whole + later)[:cut])
        assert session.cut_off or cut == len(whole) + len(later) - 1
        assert session.unreadable == ()
        assert [type(each) for each in events(session)][:2] == [CompileStart, GraphBreak]


def test_a_break_whose_text_is_cut_off_cannot_be_read(tmp_path: Path) -> None:
    text = BEGUN + artifact("dynamo_graph_break_reason", BREAK)
    session = read(tmp_path, text[: text.index("  Hint")])
    assert [type(each) for each in events(session)] == [CompileStart, Unreadable]
    assert session.cut_off


def test_a_payload_that_nobody_needs_may_be_damaged(tmp_path: Path) -> None:
    chrome = record({"chromium_event": {}, **FRAME}, "{\n}").replace("\t}\n", "")
    session = read(tmp_path, chrome + BEGUN + artifact("dynamo_graph_break_reason", BREAK))
    assert [type(each) for each in events(session)] == [CompileStart, GraphBreak]


def test_a_line_that_is_no_record_is_said(tmp_path: Path) -> None:
    session = read(tmp_path, BEGUN + 'V1120 11:04:08.2 7 x] {"artif\n' + metrics())
    assert len(session.unreadable) == 1
    assert session.unreadable[0].endswith(":3: not a line of a structured log")


@pytest.mark.parametrize("content", [None, ""])
def test_logs_that_are_not_there_or_empty_are_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / f"{PREFIX}x.log").write_text(content)
    with pytest.raises(SessionError, match=str(tmp_path)):
        read_torch_trace(tmp_path)


def test_what_is_no_log_is_never_a_pass(tmp_path: Path) -> None:
    session = read(tmp_path, "hello\n")
    assert session.unreadable
    assert session.cut_off


def test_a_log_of_torch_2_5_is_no_proof_as_it_has_no_graph_breaks(tmp_path: Path) -> None:
    of_2_5 = {name: value for name, value in METRICS.items() if name != "config_suppress_errors"}
    text = BEGUN + record({"compilation_metrics": of_2_5, **FRAME}, second=2)
    session = read(tmp_path, text)
    assert session.events[0] == TorchLoaded(at=0.0, version="2.5", missing=("graph breaks",))


def test_a_log_with_graph_breaks_or_a_version_is_no_log_of_torch_2_5(tmp_path: Path) -> None:
    of_another = {name: value for name, value in METRICS.items() if name != "config_suppress_errors"}
    text = BEGUN + record({"compilation_metrics": of_another, **FRAME}, second=2)
    version = artifact("torch_version", json.dumps({"pytorch_version": "2.99.0"}))
    for more in (artifact("dynamo_graph_break_reason", BREAK), version):
        (loaded, *_) = read(tmp_path, more + text).events
        assert isinstance(loaded, TorchLoaded)
        assert loaded.missing == ()
