"""Flags that are there to look into a program."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str) -> Confidence:
    code = f"""
class Net(nn.Module):
    def __init__(self, config, verbose=False, quiet=False, print_stats: int = 0, debug=True):
        super().__init__()
        self.verbose = verbose
        self.quiet = quiet
        self.print_stats = print_stats
        self.is_debug = debug
        self.dump = config.dump

    def forward(self, x: Tensor, debug: bool = False, profile=None, scale=0.0, verbose=1, dbg=None):
        if {test}:
            x.item()
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call") if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "debug",
        "self.verbose",
        "profile is not None",
        "self.print_stats > 0",
        "debug and self.training",
        "debug or self.verbose",
        "not (not debug)",
        "dbg",
    ],
)
def test_flags_that_are_off_by_default_are_off(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW
    assert confidence_under(f"not ({test})") == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("it is on by default", "verbose"),
        ("it is on by default", "self.is_debug"),
        ("it is no flag for debugging", "scale"),
        ("it is no flag for debugging", "self.quiet"),
        ("nothing tells what it is by default", "self.dump"),
        ("one of two reasons", "debug or self.training"),
        ("it is compared with what is not known", "self.print_stats > self.quiet"),
        ("it cannot be compared", "dbg > 3"),
    ],
)
def test_what_may_be_on(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH
