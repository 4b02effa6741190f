"""Loops that make a size a constant of the graph."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events, function


def counted(loop: str) -> list[Confidence]:
    """How surely a `while` makes a constant of a size, after these names were given."""
    found = events(function(f"i = t = 0\nn = left = x.size(1)\nrows = []\n{loop}"), "f", "iterate")
    return [event.confidence for event in found if event.construct == "counted-to-size"]


@pytest.mark.parametrize(
    ("loop", "confidence"),
    [
        ("while t < x.shape[1]:\n    x = x * 2\n    t += 1", Confidence.MEDIUM),
        ("while t < n - 1 and flag:\n    t = t + 1", Confidence.MEDIUM),
        ("while x.shape[1] > i:\n    i += 1", Confidence.LOW),
        ("while len(rows) < x.size(0):\n    rows.append(x[len(rows)])", Confidence.LOW),
        ("while len(rows) < n:\n    rows += [x]", Confidence.LOW),
    ],
)
def test_a_while_that_counts_to_a_size(loop: str, confidence: Confidence) -> None:
    assert counted(loop) == [confidence]


@pytest.mark.parametrize(
    ("why", "loop"),
    [
        ("a few rounds for any size", "while n > 1:\n    n = n // 2"),
        ("steps", "while i < x.shape[1]:\n    i += 16"),
        ("no size", "while i < 10:\n    i += 1"),
        ("a parameter's", "while i < self.weight.shape[0]:\n    i += 1"),
        ("nothing is counted", "while x.shape[1] > 4:\n    x = x[:, ::2]"),
        ("another list", "while len(rows) < n:\n    other.append(x)"),
    ],
)
def test_a_while_that_counts_to_no_size(why: str, loop: str) -> None:
    assert counted(loop) == [], why


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
