"""What ends a program because of torch.compile, and is none of its compilations."""

from __future__ import annotations

from collections.abc import Set

from compilelint.runtime.dynamo.forbidden import FORBIDDEN, of_message
from compilelint.runtime.events import CompileError, Recompile
from compilelint.runtime.places import raised_at

DOUBLE_BACKWARD = "torch.compile with aot_autograd does not currently support double backward"
"""Raised where a gradient of something compiled is differentiated: seen of torch 2.5.1, 2.8.0, 2.13.0 and 2.15.0."""

DONATED_BUFFERS = "This backward function was compiled with non-empty donated buffers"
"""Raised where a graph is to be kept whose backward was compiled when it was not: seen of torch 2.8.0 and 2.13.0."""


def of_compiling(error: BaseException | None, told: Set[str] = frozenset()) -> tuple[Recompile | CompileError, ...]:
    """The events for the exception that ends a process; none if torch.compile has nothing to do with it.

    Nor are there any if its message is among those that were `told` before. The stack is that of
    the exception. Where the gradient was taken that is differentiated, it does not say.
    """
    if error is None or str(error) in told:
        return ()
    if FORBIDDEN in str(error):
        return of_message(str(error), raised_at(error.__traceback__))
    if not any(words in str(error) for words in (DOUBLE_BACKWARD, DONATED_BUFFERS)):
        return ()
    failed = CompileError(
        at=0.0,
        compile_id=None,
        code=None,
        error=type(error).__name__,
        message=str(error),
        suppressed=False,
        stack=raised_at(error.__traceback__),
    )
    return (failed,)
