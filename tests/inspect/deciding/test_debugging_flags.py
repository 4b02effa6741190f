"""Flags that are there to look into a program."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str, **others: str) -> Confidence:
    code = f"""
class Net(nn.Module):
    def __init__(self, config, verbose=False, quiet=False, print_stats: int = 0, dumps=True):
        super().__init__()
        self.verbose = verbose
        self.quiet = quiet
        self.print_stats = print_stats
        self.to_dump = dumps
        self.plot = config.plot

    def forward(self, x: Tensor, debug: bool = False, profile=None, scale=0.0, profiler=1, dbg=None):
        if {test}:
            x.item()
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call", **others) if each.callee.endswith(".item"))
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
        ("it is on by default", "profiler"),
        ("it is on by default", "self.to_dump"),
        ("it is no flag for debugging", "scale"),
        ("it is no flag for debugging", "self.quiet"),
        ("nothing tells what it is by default", "self.plot"),
        ("one of two reasons", "debug or self.training"),
        ("it is compared with what is not known", "self.print_stats > self.quiet"),
        ("it cannot be compared", "dbg > 3"),
    ],
)
def test_what_may_be_on(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "other"),
    [
        ("an object is made with it", "from example import Net\n\nnet = Net({}, verbose=True)\n"),
        ("it is set", "from example import Net\n\ndef use(net: Net, level):\n    net.verbose = level\n"),
        ("it stands among options", "from example import Net\n\nnet = Net(**{'verbose': True})\n"),
        ("any may be set", "from example import Net\n\ndef use(net: Net, name):\n    setattr(net, name, 1)\n"),
    ],
)
def test_somebody_turns_it_on(why: str, other: str) -> None:
    assert confidence_under("self.verbose", other=other) == Confidence.HIGH


def test_somebody_turns_it_off() -> None:
    other = "from example import Net\n\nnet = Net({}, verbose=False)\n"
    assert confidence_under("self.verbose", other=other) == Confidence.LOW
