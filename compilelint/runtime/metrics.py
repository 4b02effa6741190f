"""Dynamo's compilation metrics as an event."""

from __future__ import annotations

from typing import Any

from compilelint.report.model import StackFrame
from compilelint.runtime.events import CompileEnd


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

    def told(name: str, *kinds: type) -> Any:
        value = getattr(metrics, name, None)
        return value if isinstance(value, kinds) and not isinstance(value, bool) else None

    path, line = told("fail_user_frame_filename", str), told("fail_user_frame_lineno", int)
    reasons = getattr(metrics, "restart_reasons", None) or ()
    fail_type = type(failed).__name__ if failed is not None else told("fail_type", str)
    ok = fail_type is None and (backward or getattr(metrics, "has_guarded_code", None) is not False)
    ops = told("graph_op_count", int)
    if ops is None and ok and not backward and hasattr(metrics, "graph_op_count"):
        ops = 0  # guarded code without any graph: there was nothing of torch's in the frame
    return CompileEnd(
        at=0.0,
        compile_id=compile_id,
        code=code,
        seconds=seconds,
        backend_seconds=told("backend_compile_time_s", int, float),
        inductor_seconds=told("inductor_compile_time_s", int, float),
        ok=ok,
        backward=backward,
        fail_type=fail_type,
        fail_reason=told("fail_reason", str) or (str(failed) if failed is not None else None),
        fail_place=StackFrame(path, line, "") if path and line else None,
        restart_reasons=tuple(sorted(map(str, reasons))) if not isinstance(reasons, str) else (reasons,),
        ops=ops,
        guards=told("guard_count", int),
        cache_size=told("cache_size", int),
        accumulated_cache_size=told("accumulated_cache_size", int),
        recompile_reason=told("recompile_reason", str),
    )


def backward_end(metrics: Any) -> CompileEnd:
    """Of a backward graph, which has metrics of its own and belongs to no frame."""
    micros = getattr(metrics, "duration_us", None)
    seconds = micros / 1e6 if isinstance(micros, (int, float)) else None
    compile_id = getattr(metrics, "compile_id", None)
    return compile_end(str(compile_id) if compile_id else None, None, seconds, metrics, None, backward=True)
