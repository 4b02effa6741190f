"""A place in a stack. Apart from the rest of the model: a traced program loads no more of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OF_TORCH = re.compile(r"(/(site|dist)-packages/|^)torch/")


@dataclass(frozen=True, slots=True)
class StackFrame:
    path: str
    """Of a source file."""
    line: int
    """1-based."""
    function: str
    """Its name, qualified where that is known."""


def is_of_torch(frame: StackFrame) -> bool:
    """Whether a frame is of the installed torch; a project may have a folder `torch` of its own."""
    return _OF_TORCH.search(frame.path) is not None
