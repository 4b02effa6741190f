"""A place in a stack. Apart from the rest of the model: a traced program loads no more of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StackFrame:
    path: str
    """Of a source file."""
    line: int
    """1-based."""
    function: str
    """Its name, qualified where that is known."""
