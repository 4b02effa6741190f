"""What a method counts on from what its callers have set."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.index = 0
    def reset(self):
        self.index = 0
    def maybe_reset(self, wanted):
        if wanted:
            self.index = 0
    def count(self, x):
        self.index += 1
        return x
    def forward(self, x: Tensor, n: int, wanted: bool):
        {forward}
    {more}
"""


def sureness(forward: str, more: str = "pass") -> Confidence:
    code = NET.format(forward=forward.replace("\n", "\n        "), more=more)
    found = [each for each in events(code, "Net.forward", "attribute-write") if each.construct == "augmented"]
    return max(event.confidence for event in found)


@pytest.mark.parametrize(
    "forward",
    [
        "self.index = 0\nreturn self.count(x)",
        "self.index, self.more = 0, 1\nreturn self.count(x)",
        "self.reset()\nfor _ in range(3):\n    x = self.count(x)\nreturn x",
    ],
)
def test_a_count_that_the_caller_begins_is_the_same_in_each_call(forward: str) -> None:
    assert sureness(forward) == Confidence.LOW


TWICE = "def twice(self, x): return self.count(self.count(x))"


def test_whoever_calls_the_caller_may_begin_it() -> None:
    assert sureness("self.index = n\nreturn self.twice(x)", TWICE) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "forward", "more"),
    [
        ("nobody begins it", "return self.count(x)", "pass"),
        ("begun afterwards", "x = self.count(x)\nself.index = 0\nreturn x", "pass"),
        ("only sometimes", "if wanted:\n    self.index = 0\nreturn self.count(x)", "pass"),
        ("only sometimes in a method", "self.maybe_reset(wanted)\nreturn self.count(x)", "pass"),
        ("made of what it was", "self.index = self.index + n\nreturn self.count(x)", "pass"),
        ("another attribute", "self.other = 0\nreturn self.count(x)", "pass"),
        ("the caller of the caller begins nothing", "return self.twice(x)", TWICE),
        ("another caller", "self.index = 0\nreturn self.count(x)", "def other(self, x): return self.count(x)"),
    ],
)
def test_a_count_goes_on(why: str, forward: str, more: str) -> None:
    assert sureness(forward, more) == Confidence.HIGH


@pytest.mark.parametrize(("begun", "sure"), [('self.stats = {"n": 0}', Confidence.LOW), ("pass", Confidence.HIGH)])
def test_a_dict_that_the_caller_begins_is_as_new_in_each_call(begun: str, sure: Confidence) -> None:
    code = NET.format(forward=f"{begun}\n        return self.bump(x)", more='def bump(self, x): self.stats["n"] += 1')
    code = code.replace("self.index = 0\n    def reset", 'self.stats = {"n": 0}\n    def reset')
    found = events(code, "Net.forward", "attribute-write")
    assert {event.confidence for event in found if event.construct == "item-augmented"} == {sure}


KEPT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = None
    def get(self, x):
        if self.kept is None:
            self.kept = x.mean()
        return self.kept
    def drop(self):
        self.kept = None
    def forward(self, x: Tensor, n: int):
        {forward}
"""


@pytest.mark.parametrize(
    ("forward", "sure"),
    [
        ("y = x + self.get(x)\nself.kept = None\nreturn y", Confidence.LOW),
        ("y = x + self.get(x)\nself.drop()\nreturn y", Confidence.LOW),
        ("self.kept = None\nreturn x + self.get(x)", Confidence.LOW),
        ("return x + self.get(x)", Confidence.HIGH),
        ("y = x + self.get(x)\nif n:\n    self.kept = None\nreturn y", Confidence.HIGH),
        ("y = x + self.get(x)\nif n:\n    return y\nself.kept = None\nreturn y", Confidence.HIGH),
        ("y = x + 1\nself.kept = None\nreturn y + self.get(x)", Confidence.LOW),
    ],
)
def test_what_is_kept_for_one_call_is_not_there_in_the_next(forward: str, sure: Confidence) -> None:
    code = KEPT.format(forward=forward.replace("\n", "\n        "))
    found = events(code, "Net.forward", "attribute-write")
    assert max(event.confidence for event in found if event.construct == "fill") == sure
