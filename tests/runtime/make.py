"""Sessions for tests of what reads them, with a sensible default for every field."""

from __future__ import annotations

from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.events import (
    CompileCall,
    CompileEnd,
    Event,
    Footer,
    GraphBreak,
    Header,
    Recompile,
    TorchLoaded,
)
from compilelint.runtime.session import SCHEMA_VERSION, Session

MAIN = "/app/train.py"
MODEL = "/app/model.py"
LIBRARY = "/env/lib/python3.11/site-packages/lib/code.py"
STEP = StackFrame(MAIN, 10, "step")
FORWARD = StackFrame(MODEL, 20, "Net.forward")
CALL = CompileCall(
    at=0.1,
    number=0,
    function="step",
    what="function",
    code=STEP,
    stack=(StackFrame(MAIN, 40, "main"),),
    backend="inductor",
)


def header(**changes: Any) -> Header:
    values: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "compilelint": "0.1.0",
        "program": ("train.py", "--steps", "4"),
        "cwd": "/app",
        "python": "3.11.7",
        "host": "box",
        "pid": 1,
        "parent": None,
        "rank": None,
        "local_rank": None,
        "world_size": None,
        "started": 1.0,
        **changes,
    }
    return Header(**values)


def session(*events: Event, footer: Footer | None = None, whole: bool = True, **of_header: Any) -> Session:
    """A process that loaded torch, compiled `step` and did `events`; without `whole` it has no end."""
    end = footer or (Footer(ended=9.0, exit_code=0, calls=(3,)) if whole else None)
    loaded = TorchLoaded(at=0.0, version="2.13.0")
    return Session("/tmp/s.jsonl", header(**of_header), (loaded, CALL, *events), end)


def end(compile_id: str = "0/0", code: StackFrame = STEP, **changes: Any) -> CompileEnd:
    """A compilation of one second that gave a graph."""
    values: dict[str, Any] = {"at": 1.0, "target": 0, "call": 1, "seconds": 1.0, "ops": 5, **changes}
    return CompileEnd(compile_id=compile_id, code=code, **values)


def item(line: int = 22, **changes: Any) -> GraphBreak:
    """A break at `.item()` in Net.forward, which was called by step."""
    values: dict[str, Any] = {
        "at": 1.0,
        "target": 0,
        "call": 1,
        "compile_id": "0/0",
        "code": STEP,
        "stack": (
            StackFrame(MAIN, 40, "main"),
            StackFrame(MAIN, 12, "step"),
            StackFrame(MODEL, line, "forward"),
        ),
        "gb_type": "Unsupported Tensor.item() call with capture_scalar_outputs=False",
        "reason": "…",
        "gb_id": "GB0124",
        "explanation": "Dynamo does not support tracing `Tensor.item()`.",
        "context": "call_method TensorVariable() item () {}",
        **changes,
    }
    return GraphBreak(**values)


def recompile(*guards: str, compile_id: str = "0/1", code: StackFrame = STEP, **changes: Any) -> Recompile:
    values: dict[str, Any] = {"at": 2.0, "target": 0, "call": 2, **changes}
    return Recompile(compile_id=compile_id, code=code, guards=guards, **values)
