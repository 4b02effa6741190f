"""Sizes of tensors that are given as numbers. Each change was seen to cost Dynamo 2.13 one graph a value."""

from __future__ import annotations

import pytest

from tests.regions.constructs import events_around

PRELUDE = """
import torch

TABLE = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]

@torch.compile
def g(x, n):
    return x * TABLE[n]

xs = torch.randn(20, 3)
one = torch.randn(1, 1)
"""


def told(code: str) -> list[str]:
    return [event.source for event in events_around(PRELUDE + code)]


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("for n in [16, 32, 64, 128]:\n    x = torch.randn(2, n)\n    g(x, x.shape[1])", "x.shape[1]"),
        ("for n in [16, 32, 64, 128]:\n    x = torch.randn(2, n)\n    g(x, x.shape[-1])", "x.shape[-1]"),
        ("for n in [16, 32, 64, 128]:\n    x = torch.randint(0, 9, (2, n))\n    g(x, x.size(1))", "x.size(1)"),
        ("for n in range(9):\n    x = torch.randn(n + 1, 2)\n    g(x, len(x))", "len(x)"),
        ("for n in range(9):\n    x = torch.randn(n + 1, 2)\n    rows, columns = x.shape\n    g(x, rows)", "rows"),
        ("for n in range(9):\n    x = xs[:n]\n    g(x, x.shape[0])", "x.shape[0]"),
        ("for n in range(9):\n    x = xs[:, :n]\n    g(x, x.shape[1])", "x.shape[1]"),
        ("data = [torch.randn(n, 3) for n in range(1, 9)]\nfor x in data:\n    g(x, len(x))", "len(x)"),
        ("for x in [torch.randn(n, 3) for n in range(1, 9)]:\n    g(x, x.shape[0])", "x.shape[0]"),
        (
            "for x in [torch.randn(1, 3), torch.randn(2, 3), torch.randn(3, 3), torch.randn(4, 3)]:\n    g(x, len(x))",
            "len(x)",
        ),
        (
            "x = torch.randn(1, 1)\nfor _ in range(9):\n    g(x, x.shape[1])\n    x = torch.cat([x, one], dim=1)",
            "x.shape[1]",
        ),
    ],
)
def test_the_size_is_another_number_each_time(code: str, source: str) -> None:
    assert told(code) == [source]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the other size stays", "for n in [16, 32, 64, 128]:\n    x = torch.randn(2, n)\n    g(x, x.shape[0])"),
        ("the other size stays", "for n in range(9):\n    x = torch.randn(2, n)\n    g(x, len(x))"),
        (
            "the other size stays",
            "for n in range(9):\n    x = torch.randn(n, 2)\n    rows, two = x.shape\n    g(x, two)",
        ),
        ("a window is as long as before", "for n in range(9):\n    x = xs[n : n + 4]\n    g(x, x.shape[0])"),
        ("nobody knows the batches", "for x in loader:\n    g(x, x.shape[0])"),
        ("nobody knows the batches", "for x, y in loader:\n    g(x, len(y))"),
        ("the tensor is made once", "x = torch.randn(2, 3)\nfor n in range(9):\n    g(x, x.shape[0])"),
        ("all have one size", "data = [torch.randn(4, n) for n in range(1, 9)]\nfor x in data:\n    g(x, len(x))"),
        (
            "it grows in the other dimension",
            "x = torch.randn(1, 1)\nfor _ in range(9):\n    g(x, x.shape[0])\n    x = torch.cat([x, one], dim=1)",
        ),
    ],
)
def test_the_size_stays_or_is_not_known(why: str, code: str) -> None:
    assert told(code) == []
