"""Calls that not every round of a loop comes to: what they are given has few values. Each was run with torch 2.13."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

CODE = """
import torch

@torch.compile
def f(x, i):
    return sum(x * j for j in range(i + 1))

@torch.compile
def named(x, name):
    return x * len(name)

xs = [torch.randn(3) for _ in range(30)]
"""


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(30):\n    if i % 10: continue\n    f(x, i)",
        "for i in range(30):\n    if i % 10 != 0:\n        continue\n    f(x, i)",
        "for i in range(30):\n    if i % 10 == 0:\n        f(x, i)",
        "for i in range(30):\n    if not i % 10:\n        f(x, i)",
        "for i in range(30):\n    if i % 10 == 0:\n        named(x, f'round {i}')",
        "for i, x in enumerate(xs):\n    if i >= 3: break\n    f(x, i)",
        "for i in range(30):\n    if i == 20:\n        f(x, i)",
        "for i in range(30):\n    f(x, i)\n    if i == 2: break",
        "for i in range(30):\n    if i > 2:\n        pass\n    else:\n        f(x, i)",
        "for name in ['a', 'bb', 'ccc', 'dddd']:\n    if name == 'a':\n        named(x, name)",
    ],
)
def test_few_values_come_to_the_call(loop: str) -> None:
    assert not {"int-argument", "str-argument"} & set(constructs_around(CODE + loop))


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(30):\n    if i % 3: continue\n    f(x, i)",
        "for i in range(30):\n    if i % 10:\n        f(x, i)",
        "for i in range(30):\n    if i % 10 == 0: continue\n    f(x, i)",
        "for i in range(len(xs)):\n    if i % 10 == 0:\n        f(x, i)",
        "for i, x in enumerate(xs):\n    if i >= 8: break\n    f(x, i)",
        "for i in range(30):\n    if i == 20: continue\n    f(x, i)",
        "for i in range(30):\n    if i == 2: continue\n    f(x, i)",
        "for i in range(30):\n    f(x, i)\n    if i == 12: break",
        "for i in range(30):\n    if i == 2:\n        pass\n    else:\n        f(x, i)",
        "for e in range(30):\n    for i in range(30):\n        if i == 2:\n            f(x, i + e)",
        "k = 4\nfor i in range(30):\n    if k == 4:\n        f(x, i)",
        "for i in range(30):\n    f(x, i)\n    if i % 10: continue",
    ],
)
def test_many_values_come_to_the_call(loop: str) -> None:
    assert "int-argument" in constructs_around(CODE + loop)
