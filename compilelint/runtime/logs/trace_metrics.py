"""What the compilation metrics in a log of TORCH_TRACE say, as events.

The fields are those of `torch._dynamo.utils.CompilationMetrics`, torch 2.5 to 2.13. Limits, breaks that
were raised instead of logged, and errors that are no break are told by them alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.break_text import graph_break, operation_stack, parse_break
from compilelint.runtime.dynamo.metrics import INTERRUPTIONS
from compilelint.runtime.events import CompileEnd, CompileError, CudagraphSkip, Event, FrameSkipped, LimitHit, Recompile
from compilelint.runtime.words.guard_values import reasons_in, split_reason

_LIMIT = re.compile(r"(?P<accumulated>accumulated_)?(?:recompile|cache_size)_limit(?:\D*?set to (?P<value>\d+))?")
_LIMIT_SIGNS = ("recompile limit exceeded", "recompile_limit reached", "cache_size_limit reached")


def metrics_events(
    metrics: Mapping[str, Any],
    at: float,
    compile_id: str | None,
    code: StackFrame | None,
    *,
    told: bool,
    backward: bool,
) -> list[Event]:
    """The end of a compilation, after what went wrong in it.

    `code` is the frame's if the metrics do not name it; `told` says that a graph break of this compilation
    was logged already. Raises ValueError or TypeError for fields that are not what they should be.
    """
    code = _code(metrics) or code
    failed, reason = metrics.get("fail_type"), metrics.get("fail_reason") or ""
    ok = not failed and metrics.get("has_guarded_code") is not False
    failed = None if failed in INTERRUPTIONS else failed
    events: list[Event] = []
    if failed:
        events += _failure(metrics, at, compile_id, code, str(failed), str(reason), told)
    if skipped := metrics.get("cudagraph_skip_reason"):
        events.append(CudagraphSkip(at=at, reason=str(skipped), compile_id=compile_id))
    backward = backward or metrics.get("is_forward") is False
    ops = metrics.get("graph_op_count")
    if ops is None and ok and not backward and "graph_op_count" in metrics:
        ops = 0  # guarded code without any graph: there was nothing of torch's in the frame
    events.append(
        CompileEnd(
            at=at,
            compile_id=compile_id,
            code=code,
            seconds=_seconds(metrics),
            backend_seconds=metrics.get("backend_compile_time_s"),
            inductor_seconds=metrics.get("inductor_compile_time_s"),
            ok=ok,
            backward=backward,
            fail_type=failed,
            fail_reason=reason or None,
            fail_place=_fail_place(metrics, code),
            restart_reasons=tuple(metrics.get("restart_reasons") or ()),
            ops=ops,
            guards=metrics.get("guard_count"),
            cache_size=metrics.get("cache_size"),
            accumulated_cache_size=metrics.get("accumulated_cache_size"),
            recompile_reason=metrics.get("recompile_reason"),
        )
    )
    return events


def _failure(
    metrics: Mapping[str, Any],
    at: float,
    compile_id: str | None,
    code: StackFrame | None,
    failed: str,
    reason: str,
    told: bool,
) -> list[Event]:
    """What only the metrics tell: a limit, a break that was raised, an error that is no break."""
    raised = failed == "FailOnRecompileLimitHit"  # which says no more than that
    if raised or any(sign in reason for sign in _LIMIT_SIGNS):
        limit = _LIMIT.search(reason)
        accumulated = limit is not None and limit["accumulated"]
        return [
            LimitHit(
                at=at,
                limit="accumulated_recompile_limit" if accumulated else "recompile_limit",
                value=int(limit["value"]) if limit and limit["value"] else None,
                code=code,
                reason=split_reason(metrics.get("recompile_reason") or "")[1],
                compile_id=compile_id,
                raised=raised,
            )
        ]
    if told:
        return []
    suppressed = bool(metrics.get("config_suppress_errors"))
    place = _fail_place(metrics, code)
    stack = (place,) if place else ()
    if failed == "Unsupported" and reason:
        said = parse_break(reason)
        inside = said.stack or stack or operation_stack(reason)
        if code is not None and not inside:  # given up before it came to any line
            return [FrameSkipped(at=at, code=code, reason=said.gb_type, compile_id=compile_id)]
        found = graph_break(said, reason, at=at, compile_id=compile_id, code=code, stack=inside)
        return [replace(found, frame_dropped=True, raised=not suppressed)]
    return [
        *([_forbidden(at, compile_id, code, reason)] if failed == "RecompileError" and code else []),
        CompileError(
            at=at,
            compile_id=compile_id,
            code=code,
            error=failed,
            message=reason,
            suppressed=suppressed,
            stack=stack,
        ),
    ]


def _forbidden(at: float, compile_id: str | None, code: StackFrame, message: str) -> Recompile:
    """A recompile that config.error_on_recompile made an exception: no artifact tells of it."""
    parts = [split_reason(each) for each in reasons_in(message)]
    return Recompile(
        at=at,
        compile_id=compile_id,
        code=code,
        guards=tuple(guard for _, guard, _ in parts),
        versions=tuple(version for version, _, _ in parts),
        values=(None,) * len(parts),
    )


def _code(metrics: Mapping[str, Any]) -> StackFrame | None:
    path, line, name = (metrics.get(key) for key in ("co_filename", "co_firstlineno", "co_name"))
    return StackFrame(str(path), int(line), str(name)) if path and line and name else None


def _fail_place(metrics: Mapping[str, Any], code: StackFrame | None) -> StackFrame | None:
    path, line = metrics.get("fail_user_frame_filename"), metrics.get("fail_user_frame_lineno")
    return StackFrame(str(path), int(line), code.function if code else "") if path and line else None


def _seconds(metrics: Mapping[str, Any]) -> float | None:
    if (whole := metrics.get("entire_frame_compile_time_s")) is not None:
        return float(whole)
    micro = metrics.get("duration_us")
    return None if micro is None else float(micro) / 1e6
