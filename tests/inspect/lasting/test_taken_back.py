"""Counts that are the same again when the function returns."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = 0
        self.other = 0
    def forward(self, x: Tensor, n: int):
{body}
        return x
"""


def sureness(body: str) -> set[Confidence]:
    found = events(NET.format(body=indent(body, " " * 8)), "Net.forward", "attribute-write")
    return {event.confidence for event in found if event.construct == "augmented"}


@pytest.mark.parametrize(
    "body",
    [
        "self.depth += 1\nx = x * self.depth\nself.depth -= 1",
        "self.depth -= n\nx = x * self.depth\nself.depth += n",
        "self.depth += 1\nx = x * 2\nself.depth = self.depth - 1",
        "self.depth += 1\ntry:\n    if n: return x\nfinally:\n    self.depth -= 1",
        "with torch.no_grad():\n    self.depth += 1\n    x = x * 2\n    self.depth -= 1",
    ],
)
def test_what_is_taken_back_is_the_same_in_the_next_call(body: str) -> None:
    assert sureness(body) == {Confidence.LOW}


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("by another number", "self.depth += 2\nself.depth -= 1"),
        ("only sometimes", "self.depth += 1\nif n:\n    self.depth -= 1"),
        ("not where it returns before", "self.depth += 1\nif n: return x\nself.depth -= 1"),
        ("nor in a block", "with torch.no_grad():\n    self.depth += 1\n    if n: return x\n    self.depth -= 1"),
        ("another count", "self.depth += 1\nself.other -= 1"),
        ("twice", "self.depth += 1\nself.depth += 1\nself.depth -= 1"),
    ],
)
def test_what_goes_on_counts_calls(why: str, body: str) -> None:
    assert Confidence.HIGH in sureness(body)
