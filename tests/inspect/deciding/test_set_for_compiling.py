"""Flags that have one value in what is compiled."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

CLASS = """\
import torch
from torch import nn, Tensor

class C(nn.Module):
    def __init__(self):
        super().__init__()
        self.checks = True
    def speed_up(self):
{speed_up}
    def forward(self, x: Tensor):
{forward}
"""
COMPILE = "self.checks = False\nself.step = torch.compile(self.forward)"
CHECK = "if self.checks:\n    print(x)"


def sureness(speed_up: str = COMPILE, forward: str = CHECK, more: str = "") -> Confidence:
    body = " " * 8
    code = CLASS.format(speed_up=indent(speed_up, body), forward=indent(forward, body)) + more
    (event,) = (event for event in events(code, "C.forward", "call") if event.callee == "builtins.print")
    return event.confidence


@pytest.mark.parametrize(
    "forward",
    [
        CHECK,
        "if self.checks and x.ndim == 2:\n    print(x)",
        "if not self.checks:\n    return x\nprint(x)",
        "if self.checks is True:\n    print(x)",
    ],
)
def test_what_is_turned_off_for_compiling_does_not_happen_in_what_is_compiled(forward: str) -> None:
    assert sureness(forward=forward) == Confidence.LOW


@pytest.mark.parametrize(
    "forward",
    ["if not self.checks:\n    print(x)", "if self.checks:\n    return x\nprint(x)", "if self.other:\n    print(x)"],
)
def test_what_is_left_on_does(forward: str) -> None:
    assert sureness(forward=forward) == Confidence.HIGH


def test_compiling_may_be_spelled_otherwise() -> None:
    assert sureness("self.checks = False\nsetattr(self, 'step', torch.compile(self.forward))") == Confidence.LOW
    attempt = "try:\n    self.f = torch.compile(self)\nexcept E:\n    pass"
    assert sureness(f"self.checks = False\n{attempt}") == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "speed_up"),
    [
        ("it is set afterwards", "self.step = torch.compile(self.forward)\nself.checks = False"),
        ("something else is compiled", "self.checks = False\nreturn torch.compile(other)"),
        ("nothing is compiled", "self.checks = False\nself.step = compile(self.forward)"),
        ("it is no flag", "self.checks = 3\nself.step = torch.compile(self.forward)"),
        ("it is set in one case", "if self.fast:\n    self.checks = False\nself.step = torch.compile(self.forward)"),
    ],
)
def test_what_is_no_flag_for_compiling(why: str, speed_up: str) -> None:
    assert sureness(speed_up) == Confidence.HIGH


def test_another_method_may_set_it_again() -> None:
    assert sureness(more="    def debug(self):\n        self.checks = True\n") == Confidence.HIGH
