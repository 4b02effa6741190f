"""What ends a program because of torch.compile, and is none of its compilations."""

from __future__ import annotations

from compilelint.runtime.events import CompileError
from compilelint.runtime.places import raised_at

DOUBLE_BACKWARD = "torch.compile with aot_autograd does not currently support double backward"
"""Raised where a gradient of something compiled is differentiated: seen of torch 2.5.1, 2.8.0, 2.13.0 and 2.15.0."""

DONATED_BUFFERS = "This backward function was compiled with non-empty donated buffers"
"""Raised where a graph is to be kept whose backward was compiled when it was not: seen of torch 2.8.0 and 2.13.0."""


def of_compiling(error: BaseException | None) -> CompileError | None:
    """The event for the exception that ends a process; None if torch.compile has nothing to do with it.

    The stack is that of the exception. Where the gradient was taken that is differentiated, it does not say.
    """
    if error is None or not any(words in str(error) for words in (DOUBLE_BACKWARD, DONATED_BUFFERS)):
        return None
    return CompileError(
        at=0.0,
        compile_id=None,
        code=None,
        error=type(error).__name__,
        message=str(error),
        suppressed=False,
        stack=raised_at(error.__traceback__),
    )
