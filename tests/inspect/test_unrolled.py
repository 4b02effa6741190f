"""Loops that make a size a constant of the graph."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


def held(body: str) -> list[Confidence]:
    """How surely a loop in a function with this body makes a constant of a size."""
    found = events(function(body), "f", "iterate")
    return [event.confidence for event in found if event.construct == "constant-by-size"]


@pytest.mark.parametrize(
    "loop",
    [
        "for x_t in x: pass",
        "for x_t in x.unbind(1): pass",
        "for t, x_t in enumerate(x.transpose(0, 1)): pass",
        "for x_t, y_t in zip(x.unbind(1), y.unbind(1)): pass",
        "for x_t in reversed(x.split(1, dim=1)): pass",
        "for x_t in torch.unbind(x, 1): pass",
        "for x_t in torch.split(x, 1, dim=1): pass",
        "for frame in x.permute(1, 0, 2): pass",
        "[step + 1 for step in x]",
    ],
)
def test_loops_over_the_parts_of_a_tensor(loop: str) -> None:
    assert held(loop) == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    "loop",
    [
        "for row in x: pass",
        "for t in x.unbind(0): pass",
        "for x_t in x.split(n, dim=1): pass",
        "for x_t in x.chunk(2): pass",
        "for x_t in [x, y]: pass",
        "for x_t in zip(what, n): pass",
        "for token in what: pass",
        "for x_t in self.weight: pass",
        "a, b = x.unbind(0)",
    ],
)
def test_loops_of_as_many_rounds_in_each_call(loop: str) -> None:
    assert held(loop) == []
