"""A frame while Dynamo converts it, and the events that tell what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo.break_text import parse_stack
from compilelint.runtime.events import CompileError, FrameSkipped, LimitHit, Recompile
from compilelint.runtime.places import callers, code_place
from compilelint.runtime.words.guard_values import guard_value

LONGEST_TEXT = 8000
"""How many characters are kept of what Dynamo says."""


@dataclass
class Conversion:
    """A frame that this thread is converting, with what became known of it so far."""

    code: CodeType
    variables: dict[str, Any]
    converter: Any
    compile_id: str | None = None
    limit: str | None = None
    """The limit for which it is not compiled again."""
    guards: tuple[str, ...] = ()
    """Those that no version of it fitted."""


def closed_functions(frame: Conversion) -> tuple[str, ...]:
    """The functions that a frame closes over, by the variables that hold them."""
    held = ((name, frame.variables.get("L", {}).get(name)) for name in frame.code.co_freevars)
    return tuple(f"{name}={each.__module__}.{each.__qualname__}" for name, each in held if type(each) is FunctionType)


def skipped(frame: Conversion, error: Exception) -> FrameSkipped:
    """Dynamo gave the frame up before it came to any line."""
    reason = str(error).strip().partition("\n")[0]
    code = code_place(frame.code)
    return FrameSkipped(at=0.0, code=code, reason=reason, compile_id=frame.compile_id, stack=callers())


def failed(frame: Conversion, error: Exception, *, suppressed: bool) -> CompileError:
    """What came out of compiling is no break."""
    message = str(error)
    return CompileError(
        at=0.0,
        compile_id=frame.compile_id,
        code=code_place(frame.code),
        error=type(error).__name__,
        message=message[:LONGEST_TEXT],
        suppressed=suppressed,
        stack=(*callers(), *(torch_names.error_stack(error) or parse_stack(message))),
    )


def recompiled(frame: Conversion, reasons: Sequence[tuple[str, str, str]], *, forbidden: bool) -> Recompile:
    """No version of the frame fitted, for the reasons that `split_reason` has taken apart."""
    return Recompile(
        at=0.0,
        compile_id=frame.compile_id,
        code=code_place(frame.code),
        guards=frame.guards,
        versions=tuple(made for made, _, _ in reasons),
        values=tuple(guard_value(guard, frame.variables) for guard in frame.guards),
        stack=callers(),
        guard_stack=parse_stack(reasons[0][2]) if reasons else (),
        closed_over=frame.code.co_freevars,
        forbidden=forbidden,
    )


def at_limit(frame: Conversion, limit: str) -> LimitHit:
    """The frame has as many versions as it may have."""
    value = torch_names.setting(limit)
    return LimitHit(
        at=0.0,
        limit=limit,
        value=value if isinstance(value, int) else None,
        code=code_place(frame.code),
        reason=frame.guards[0] if frame.guards else "",
        compile_id=frame.compile_id,
        stack=callers(),
        closed_over=frame.code.co_freevars,
        raised=torch_names.raises_at_limit(frame.converter),
    )
