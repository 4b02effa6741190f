"""Conditions that hold only for what hardly anybody gives a model."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str, root: str = "f") -> Confidence:
    code = f"""
def f(x: Tensor, y: Tensor, count: int = 0, **kwargs):
    hits = (x > 0).nonzero()
    if {test}:
        x.item()
    return x

def g(x: Tensor):
    return f(x, x, extra=3)
"""
    (event,) = (each for each in events(code, root, "call") if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "x.numel() == 0",
        "x.shape[0] == 0",
        "x.shape[-1] <= 0",
        "x.size(0) == 0",
        "len(y) == 0",
        "not len(y) > 0",
        "count and x.numel() == 0",
        "kwargs",
        "len(kwargs)",
        "len(kwargs) > 0",
    ],
)
def test_nobody_gives_that(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("it holds something", "x.numel() > 0"),
        ("it holds one thing", "x.shape[0] == 1"),
        ("a number may be nothing", "count == 0"),
        ("what is found may be nothing", "hits.numel() == 0"),
        ("either will do", "count or x.numel() == 0"),
        ("nothing more is given", "not kwargs"),
        ("one of them may be given", "kwargs.get('mask')"),
    ],
)
def test_somebody_may_give_that(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


def test_who_calls_it_may_give_more() -> None:
    assert confidence_under("kwargs", "g") == Confidence.HIGH
