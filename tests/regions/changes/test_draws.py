"""Numbers that a loop draws and gives to what is compiled."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

HEAD = """
import random
from random import randint as pick

import numpy as np
import torch
import torch.nn.functional as F

@torch.compile
def looped(x, n):
    for _ in range(n):
        x = x.sin()
    return x

@torch.compile
def dropped(x, p):
    return F.dropout(x, p)

@torch.compile
def padded(x, mode):
    return F.pad(x, (1, 1), mode=mode)

rng = random.Random(0)
for step in range(100):
"""


@pytest.mark.parametrize(
    ("call", "construct"),
    [
        ("looped(torch.ones(3), random.randint(48, 96))", "int-argument"),
        ("looped(torch.ones(3), pick(low, 96))", "int-argument"),
        ("looped(torch.ones(3), random.randrange(8))", "int-argument"),
        ("looped(torch.ones(3), n=2 + random.choice([8, 16, 24, 32]))", "int-argument"),
        ("looped(torch.ones(3), torch.randint(1, 9, (1,)).item())", "int-argument"),
        ("looped(torch.ones(3), int(np.random.randint(1, 9)))", "int-argument"),
        ("looped(torch.ones(3), np.random.randint(1, high=9))", "int-argument"),
        ("looped(torch.ones(3), int(np.random.uniform(1, 9)))", "int-argument"),
        ("dropped(torch.ones(3), random.uniform(0.1, 0.9))", "float-argument"),
        ("dropped(torch.ones(3), np.random.beta(0.2, b=0.2))", "float-argument"),
        ("dropped(torch.ones(3), float(np.random.rand()))", "float-argument"),
        ("dropped(torch.ones(3), torch.rand(1).item())", "float-argument"),
        ("p = np.random.uniform(0, 1)\n    dropped(torch.ones(3), p)", "float-argument"),
        ("padded(torch.ones(3), random.choice(['reflect', 'replicate', 'circular', 'constant']))", "str-argument"),
    ],
)
def test_what_is_drawn_is_another_one_each_time(call: str, construct: str) -> None:
    assert construct in constructs_around(f"{HEAD}    {call}\n")


@pytest.mark.parametrize(
    ("why", "call"),
    [
        ("few values", "looped(torch.ones(3), random.randint(1, 2))"),
        ("one of an unknown list", "looped(torch.ones(3), random.choice(lengths))"),
        ("not Python's", "looped(torch.ones(3), other.randint(1, 9))"),
        ("an array", "looped(torch.ones(3), int(np.random.randint(1, 9, 4).max()))"),
        ("an array of a size", "dropped(torch.ones(3), np.random.beta(0.2, 0.2, size))"),
        ("arrays for Dynamo", "looped(torch.ones(3), np.random.randint(1, 9, dtype=np.int64))"),
        ("as many as are given", "dropped(torch.ones(3), np.random.rand(*sizes))"),
        ("another generator", "dropped(torch.ones(3), np.random.default_rng().random())"),
        ("a tensor", "looped(torch.ones(3), torch.randint(1, 9, (1,)))"),
    ],
)
def test_what_may_be_the_same_is_not_told(why: str, call: str) -> None:
    assert not {"int-argument", "float-argument"} & set(constructs_around(f"{HEAD}    {call}\n"))
