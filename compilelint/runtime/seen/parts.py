"""Functions and the parts that Dynamo makes of them, to go on after a break: their names, and which are of one."""

from __future__ import annotations

import re

from compilelint.report.stack import StackFrame

_RESUME = re.compile(r"(?:^|(?<=\.))torch_dynamo_resume_in_(?P<name>.+?)_at_(?P<line>\d+)$")


def origin(function: str) -> str:
    """The function that a part after a break belongs to; other functions are their own.

    A part of a part is called `torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_3_at_5`.
    """
    while found := _RESUME.search(function):
        function = function[: found.start()] + found["name"]
    return function


def resumed_at(function: str) -> int | None:
    """The line after which a part of a function goes on; None for a whole function."""
    found = _RESUME.search(function)
    return int(found["line"]) if found else None


def part(function: str) -> str:
    """How a reader calls a function, or the part of it that goes on after a break."""
    line = resumed_at(function)
    return origin(function) + (f" (after line {line})" if line is not None else "")


def bare(function: str) -> str:
    """The name of the function alone, as stacks have it."""
    return origin(function).rpartition(".")[2]


def is_of(frame: StackFrame, function: StackFrame) -> bool:
    """Whether a frame of a stack is one of a function, or of a part of it; some have bare names only."""
    if frame.path != function.path or bare(frame.function) != bare(function.function):
        return False
    here, there = origin(frame.function), origin(function.function)
    # `Net.forward` that calls the compiled `Block.forward` of its file is none of it.
    return here == there or "." not in here or "." not in there


def is_entry(frame: StackFrame, function: StackFrame) -> bool:
    """Whether a frame is one of a function that the program gave to `torch.compile`: of those, and only of those, the
    whole name is known, so that `Engine.generate` is none of `generate`."""
    return is_of(frame, function) and ("." in function.function or "." not in origin(frame.function))
