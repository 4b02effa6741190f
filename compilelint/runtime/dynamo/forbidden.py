"""What keeps torch from compiling: a variable of the environment, a stance.

Under the stance `fail_on_recompile` torch raises in place of a compilation, and tells nobody else of it. A server
catches that and answers without the compiled model, so it is told when it is raised, and not only where it ends the
program (`uncaught`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo import torch_adapter as torch_names
from compilelint.runtime.dynamo.break_text import parse_stack
from compilelint.runtime.events import CompileError, Event, Recompile
from compilelint.runtime.places import callers, code_place
from compilelint.runtime.words.guard_values import guard_value, reasons_in, split_reason

FORBIDDEN = "Detected recompile when torch.compile stance is 'fail_on_recompile'"
"""Raised in place of a compilation where a stance forbids it: seen of torch 2.13.0."""
ONLY_RUNS = ("eager_on_recompile", "force_eager")
"""The stances in which nothing is compiled, and nobody tells."""

_FUNCTION = re.compile(r"filename: '(?P<path>[^']+)', function name: '(?P<name>[^']+)', line number: (?P<line>\d+)")
"""What it says of the function that was to be compiled."""


def switched_off_by(environment: Mapping[str, str]) -> str | None:
    """The variable that keeps torch from compiling anything, as it is set: seen of torch 2.13.0."""
    switches = ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE")
    return next((f"{name}=1" for name in switches if environment.get(name) == "1"), None)


class Forbidden:
    """Tells what the stance forbids, through `emit`. `told` are the messages of which that is done."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self.told: set[str] = set()

    def callbacks(self, original: torch_names.Wrapper) -> torch_names.Wrapper:
        """In place of what chooses, by the stance, what Dynamo does with a frame that has no version that fits."""

        def _callback_from_stance(callback: Any) -> Any:
            chosen = original(callback)
            return self._watched(chosen) if getattr(chosen, "__name__", "") == "fail_callback" else chosen

        return _callback_from_stance

    def _watched(self, refuses: torch_names.Wrapper) -> torch_names.Wrapper:
        def fail_callback(frame: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return refuses(frame, *args, **kwargs)
            except RuntimeError as error:
                self._tell(frame, error)
                raise

        return torch_names.in_place_of(refuses, fail_callback)

    def _tell(self, frame: Any, error: RuntimeError) -> None:
        message = str(error)
        if FORBIDDEN not in message:
            return
        try:
            variables = {"L": frame.f_locals, "G": getattr(frame, "f_globals", {})}
            events = forbidden(message, code_place(frame.f_code), callers(), variables)
        except Exception:  # the program gets its own, and `uncaught` tells what ends it
            return
        self.told.add(message)
        for event in events:
            self._emit(event)


def of_message(message: str, stack: tuple[StackFrame, ...]) -> tuple[Recompile | CompileError, ...]:
    """The events for such a message, of which nothing else is known any more; `stack` is that of the exception."""
    said = _FUNCTION.search(message)
    code = StackFrame(said["path"], int(said["line"]), said["name"]) if said is not None else None
    return forbidden(message, code, stack, {})


def forbidden(
    message: str, code: StackFrame | None, stack: tuple[StackFrame, ...], variables: Mapping[str, Any]
) -> tuple[Recompile | CompileError, ...]:
    """Why the function did not fit, if it was compiled before, and that it was not compiled again.

    `variables` are those of its frame, as `guard_value` wants them, if it is still there: who asks a frame that is gone
    anything ends the process (SIGSEGV).
    """
    failed = CompileError(
        at=0.0,
        compile_id=None,
        code=code,
        error="RuntimeError",
        message=message,
        suppressed=False,
        stack=stack,
    )
    reasons = [split_reason(each) for each in reasons_in(message)]
    if code is None or not reasons:
        return (failed,)
    guards = tuple(guard for _, guard, _ in reasons)
    recompile = Recompile(
        at=0.0,
        compile_id=None,
        code=code,
        guards=guards,
        versions=tuple(made for made, _, _ in reasons),
        values=tuple(guard_value(guard, variables) for guard in guards) if variables else (),
        stack=stack,
        guard_stack=parse_stack(reasons[0][2]),
        forbidden=True,
    )
    return (recompile, failed)
