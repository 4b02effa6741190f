"""What ends a program because of torch.compile, and is none of its compilations."""

from __future__ import annotations

import re

from compilelint.report.stack import StackFrame
from compilelint.runtime.dynamo.break_text import parse_stack
from compilelint.runtime.events import CompileError, Recompile
from compilelint.runtime.places import raised_at
from compilelint.runtime.words.guard_values import reasons_in, split_reason

DOUBLE_BACKWARD = "torch.compile with aot_autograd does not currently support double backward"
"""Raised where a gradient of something compiled is differentiated: seen of torch 2.5.1, 2.8.0, 2.13.0 and 2.15.0."""

DONATED_BUFFERS = "This backward function was compiled with non-empty donated buffers"
"""Raised where a graph is to be kept whose backward was compiled when it was not: seen of torch 2.8.0 and 2.13.0."""

FORBIDDEN = "Detected recompile when torch.compile stance is 'fail_on_recompile'"
"""Raised in place of a compilation where a stance forbids it: seen of torch 2.13.0."""

_FUNCTION = re.compile(r"filename: '(?P<path>[^']+)', function name: '(?P<name>[^']+)', line number: (?P<line>\d+)")
"""What it says of the function that was to be compiled."""


def of_compiling(error: BaseException | None) -> tuple[Recompile | CompileError, ...]:
    """The events for the exception that ends a process; none if torch.compile has nothing to do with it.

    The stack is that of the exception. Where the gradient was taken that is differentiated, it does not say.
    """
    if error is None:
        return ()
    if FORBIDDEN in str(error):
        return _forbidden(error)
    if not any(words in str(error) for words in (DOUBLE_BACKWARD, DONATED_BUFFERS)):
        return ()
    return (_failed(error, None),)


def _failed(error: BaseException, code: StackFrame | None) -> CompileError:
    return CompileError(
        at=0.0,
        compile_id=None,
        code=code,
        error=type(error).__name__,
        message=str(error),
        suppressed=False,
        stack=raised_at(error.__traceback__),
    )


def _forbidden(error: BaseException) -> tuple[Recompile | CompileError, ...]:
    """Why the function did not fit, if it was compiled before, and that it was not compiled again.

    The frame that was to be compiled is gone: who asks it anything now ends the process (SIGSEGV).
    """
    said = _FUNCTION.search(str(error))
    code = StackFrame(said["path"], int(said["line"]), said["name"]) if said is not None else None
    failed = _failed(error, code)
    reasons = [split_reason(each) for each in reasons_in(str(error))]
    if code is None or not reasons:
        return (failed,)
    guards = tuple(guard for _, guard, _ in reasons)
    recompile = Recompile(
        at=0.0,
        compile_id=None,
        code=code,
        guards=guards,
        versions=tuple(made for made, _, _ in reasons),
        stack=failed.stack,
        guard_stack=parse_stack(reasons[0][2]),
    )
    return (recompile, failed)
