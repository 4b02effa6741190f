"""Dynamo's compilation metrics as an event."""

from __future__ import annotations

from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.events import CompileEnd

INTERRUPTIONS = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit"})
"""What ends a compilation without saying anything of the code."""


def compile_end(
    compile_id: str | None,
    code: StackFrame | None,
    seconds: float | None,
    metrics: Any,
    failed: BaseException | None,
    *,
    backward: bool = False,
) -> CompileEnd:
    """`metrics` is None if Dynamo recorded none: then only what was seen from outside is told."""
    told = torch_names.metric_values(metrics)
    path, line = told.get("fail_path"), told.get("fail_line")
    fail_type = type(failed).__name__ if failed is not None else told.get("fail_type")
    ok = fail_type is None and (backward or told.get("guarded") is not False)
    if fail_type in INTERRUPTIONS:
        fail_type = None
    ops = told.get("ops")
    if ok and not backward and torch_names.without_graph(metrics):
        ops = 0  # guarded code without any graph: there was nothing of torch's in the frame
    return CompileEnd(
        at=0.0,
        compile_id=compile_id,
        code=code,
        seconds=seconds,
        backend_seconds=told.get("backend_seconds"),
        inductor_seconds=told.get("inductor_seconds"),
        ok=ok,
        backward=backward,
        fail_type=fail_type,
        fail_reason=told.get("fail_reason") or (str(failed) if failed is not None else None),
        fail_place=StackFrame(path, line, "") if path and line else None,
        restart_reasons=told.get("restart_reasons", ()),
        ops=ops,
        guards=told.get("guards"),
        cache_size=told.get("cache_size"),
        accumulated_cache_size=told.get("accumulated_cache_size"),
        recompile_reason=told.get("recompile_reason"),
    )
