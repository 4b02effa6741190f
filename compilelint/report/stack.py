"""A place in a stack. Apart from the rest of the model: a traced program loads no more of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_INSTALLED = re.compile(r".*/(?:site|dist)-packages/(\w+)(?=[/.])")
_OF_PYTHON = re.compile(r"/lib(64)?/python3\.\d+t?/(?!(site|dist)-packages/)")
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


def is_of_torch_or_python(frame: StackFrame) -> bool:
    """Whether a frame is of the installed torch, or of Python's own library."""
    return is_of_torch(frame) or _OF_PYTHON.search(frame.path) is not None


def package_of(path: str) -> str:
    """The installed package that a file belongs to, as it is imported; empty if it is of none, or of torch."""
    found = _INSTALLED.match(path)
    return found[1] if found and found[1] != "torch" else ""


def package_that_led_to(path: str, inside: Sequence[StackFrame]) -> str:
    """The installed package that something happened in; inside torch or Python, the one that led there."""
    led = (frame.path for frame in reversed(inside) if not is_of_torch_or_python(frame))
    return package_of(path) or package_of(next(led, ""))
