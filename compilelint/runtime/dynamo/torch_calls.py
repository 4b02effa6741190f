"""Calls of compiled functions, as torch's private names tell of them: when each begins, and which are running.

Nothing here imports torch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

Entered = Callable[[], Callable[[], object]]
"""Called when a call begins; what it returns, when the call is over."""


def on_each_call(context: Any, entered: Entered) -> Callable[[Entered], None]:
    """Call `entered` whenever what this context compiles is called, and what it returns afterwards.

    Returns what puts something else in the place of `entered`, from the next call on.
    """
    hooks: list[Entered] = context.enter_exit_hooks
    hooks.append(entered)

    def replace_by(other: Entered) -> None:
        hooks[:] = [other if each is entered else each for each in hooks]

    return replace_by


def running_calls() -> Iterator[tuple[Any, Sequence[object]]]:
    """The calls of compiled functions that this thread is in, innermost first: context, and what `Entered` returned.

    The function that torch puts before a compiled one (`compile_wrapper`, `_fn` until 2.9) has both as variables.
    """
    file = getattr(sys.modules.get("torch._dynamo.eval_frame"), "__file__", None)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if "self" in code.co_freevars and code.co_filename == file:
            variables = frame.f_locals
            yield variables.get("self"), variables.get("cleanups", ())
        frame = frame.f_back
