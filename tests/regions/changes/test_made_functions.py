"""Functions that a loop makes of what changes, and gives to what is compiled. Each was run with torch 2.13."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
from functools import partial
from torch.nn import functional as F

NAMES = ["relu", "tanh", "sin", "cos", "exp"]

def pool(v, k):
    return F.avg_pool1d(v, k)

def scaled(v, k):
    return v * k

def make(name):
    def act(v):
        return getattr(torch, name)(v)
    return act

def make_pool(k):
    return lambda v: F.avg_pool1d(v, k)

def make_scaled(k):
    def act(v):
        return v * k
    return act

def make_of_own(k):
    k = 2
    return lambda v: F.avg_pool1d(v, k)

@torch.compile
def step(x, f):
    return f(x)

@torch.compile
def leaving(x, f):
    return x * 2

x = torch.randn(1, 1, 64)
"""


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("for name in NAMES:\n    step(x, make(name))", "str-argument"),
        ("for k in range(1, 9):\n    step(x, make_pool(k))", "int-argument"),
        ("for k in range(1, 9):\n    step(x, partial(pool, k=k))", "int-argument"),
        ("for k in range(9):\n    step(x, lambda v, k=k: v * k)", "constant-argument"),
        ("for k in range(9):\n    def f(v, k=k):\n        return v * k\n    step(x, f)", "constant-argument"),
        ("for name in NAMES:\n    step(x, lambda v, name=name: getattr(torch, name)(v))", "constant-argument"),
    ],
)
def test_what_changes_in_a_made_function(code: str, construct: str) -> None:
    assert construct in constructs_around(PRELUDE + code)
    assert construct in constructs_around(PRELUDE + "def main():\n    " + code.replace("\n", "\n    "))


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a number in arithmetic stays open", "for k in range(9):\n    step(x, make_scaled(k))"),
        ("a bound one does, too", "for k in range(9):\n    step(x, partial(scaled, k=k))"),
        ("a float that is a default does, too", "for k in range(9):\n    step(x, lambda v, s=k / 10: v * s)"),
        ("it is the same name each time", "for k in range(9):\n    step(x, make('relu'))"),
        ("there are three", "for name in ['relu', 'tanh', 'sin']:\n    step(x, make(name))"),
        ("the maker does not use it", "for k in range(1, 9):\n    step(x, make_of_own(k))"),
        ("nobody calls the function", "for k in range(9):\n    leaving(x, lambda v, k=k: v * k)"),
        ("the default is made once", "k = 3\ndef f(v, k=k):\n    return v * k\nfor k in range(9):\n    step(x, f)"),
    ],
)
def test_what_stays_as_it_is(why: str, code: str) -> None:
    assert not {"str-argument", "int-argument", "constant-argument"} & set(constructs_around(PRELUDE + code)), why
