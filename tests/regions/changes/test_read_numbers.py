"""Numbers that Python reads of the data of each iteration."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import events_around

PRELUDE = """
import torch

@torch.compile
def model(x, steps):
    for _ in range(steps):
        x = x + 1
    return x

def train(x, lengths):
    n = lengths.max().item()
    return model(x, n)

def outer(x, lengths):
    return model(x, int(lengths[0]))
"""


def told(code: str) -> list[tuple[str, Confidence]]:
    return [(event.construct, event.confidence) for event in events_around(PRELUDE + code)]


@pytest.mark.parametrize(
    "code",
    [
        "for x, y in loader:\n    model(x, int(y.max()))",
        "for x, y in loader:\n    n = y.max().item()\n    model(x, n + 1)",
        "for batch in loader:\n    model(batch['x'], batch['length'].item())",
        "for batch in loader:\n    x, y = batch\n    model(x, steps=int(y[0]))",
        "for x, texts in loader:\n    model(x, max(len(text) for text in texts))",
        "for x, texts in loader:\n    model(x, max(map(len, texts)))",
        "for x, y in loader:\n    train(x, y)",
        "for x, y in loader:\n    outer(x, y)",
        "while True:\n    for x, y in loader:\n        ys = [model(x, k.item()) for k in y]",
    ],
)
def test_each_batch_brings_another_number(code: str) -> None:
    assert told(code) == [("int-argument", Confidence.MEDIUM)]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("n = lengths.max().item()\nfor x in loader:\n    model(x, n)", id="read-once"),
        pytest.param("for x, y in loader:\n    model(x, lengths.max().item())", id="of-what-stays"),
        pytest.param("model(x, y.max().item())", id="no-loop"),
        pytest.param("for x, y in loader:\n    model(x, len(y))", id="the-size-of-the-batch"),
        pytest.param("for x, y in loader:\n    model(x, y.shape[1])", id="a-size-that-may-be-fixed"),
        pytest.param("for x, y in loader:\n    model(x, y.max())", id="a-tensor"),
        pytest.param("train(x, y)", id="called-once"),
        pytest.param("for _ in range(9):\n    train(x, y)", id="called-with-the-same"),
    ],
)
def test_the_number_is_not_seen_to_change(code: str) -> None:
    assert told(code) == []
