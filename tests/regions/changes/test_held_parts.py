"""Values that what a compiled function is given holds. Each was seen to cost Dynamo 2.13 one graph a value."""

from __future__ import annotations

import pytest

from tests.regions.constructs import events_around

PRELUDE = """
import math
import torch
from collections import namedtuple
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import NamedTuple
from torch import nn

TABLE = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]

@dataclass
class Options:
    n: int = 0
    rate: float = 1.0

class Pair(NamedTuple):
    n: int
    m: int = 2

Plain = namedtuple("Plain", "n m")

class Written:
    def __init__(self, n, m=2):
        self.n = n
        self.half = n / 2

    def chosen(self):
        return TABLE[self.n]

@torch.compile
def by_attribute(x, c):
    return x * TABLE[c.n]

@torch.compile
def by_key(x, c):
    k = c["n"] + 1
    return helper(x, c) * TABLE[k]

def helper(x, options):
    return x * options.get("m", 1)

@torch.compile
def by_get(x, c):
    return x * TABLE[c.get("n", 0)]

@torch.compile
def by_place(x, c):
    n, m = c
    return x * TABLE[n] * m

@torch.compile
def by_method(x, c):
    return x * c.chosen()

@torch.compile
def handed_on(x, c):
    return inner(x, options=c)

def inner(x, options):
    return x * TABLE[options["n"]]

@torch.compile
def nested(x, c):
    return x * TABLE[c["options"].n]

@torch.compile
def arithmetic(x, c):
    return x * c["n"] + c["n"]

@torch.compile
def named(x, c):
    return x * 2 if c["task"] == "a" else x

@torch.compile
def late(x, c):
    return x * 2 if c["late"] else x

@torch.compile
def dropped(x, c):
    return nn.functional.dropout(x, c.rate)

@torch.compile
def made_anew(x, c):
    c = {"n": 2}
    return x * TABLE[c["n"]]

@torch.compile
def put_anew(x, c):
    c["n"] = 2
    return x * TABLE[c["n"]]

@torch.compile
def shown(x, c):
    print(f"step {c['n']} of 9")
    return x

@torch.compile
def all_of(c):
    return c[0] * 2

class Sampler:
    def __init__(self):
        self.i = 0
        self.step = torch.compile(self._step)

    def _step(self, x):
        return x * TABLE[self.i]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 1
        self.unread = 1

    def forward(self, x):
        return x * TABLE[self.n]

@torch.compile
def of_net(net, x):
    return net(x)

static = torch.compile(lambda x, c: x * c["n"], dynamic=False)
x = torch.randn(4)
"""


def told(code: str) -> list[tuple[str, str]]:
    return [(event.construct, event.source) for event in events_around(PRELUDE + code)]


@pytest.mark.parametrize(
    ("code", "event"),
    [
        ("for i in range(9):\n    by_key(x, {'n': i, 'm': 2})", ("int-argument", "i")),
        ("for i in range(9):\n    by_key(x, dict(n=i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_get(x, {'n': i})", ("int-argument", "i")),
        ("for i in range(9):\n    by_get(x, {**base, 'n': i})", ("int-argument", "i")),
        ("for i in range(9):\n    by_get(x, base | {'n': i})", ("int-argument", "i")),
        ("c = {}\nfor i in range(9):\n    c.update(n=i)\n    by_get(x, c)", ("int-argument", "c['n']")),
        ("for i in range(9):\n    by_place(x, (i, 2))", ("int-argument", "i")),
        ("for i in range(9):\n    by_place(x, [i, 2])", ("int-argument", "i")),
        ("for i in range(9):\n    by_place(x, Pair(i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, Pair(n=i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_place(x, Plain(i, 2))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, Plain(i, 2))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, Options(i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, Options(rate=0.1, n=i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, Written(i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_attribute(x, SimpleNamespace(n=i))", ("int-argument", "i")),
        ("o = Options()\nfor i in range(9):\n    by_attribute(x, replace(o, n=i))", ("int-argument", "i")),
        ("p = Pair(1)\nfor i in range(9):\n    by_place(x, p._replace(m=i))", None),
        ("p = Pair(1)\nfor i in range(9):\n    by_attribute(x, p._replace(n=i))", ("int-argument", "i")),
        ("for i in range(9):\n    by_method(x, Written(i))", ("int-argument", "i")),
        ("for i in range(9):\n    handed_on(x, {'n': i})", ("int-argument", "i")),
        ("for i in range(9):\n    nested(x, {'options': Options(i)})", ("int-argument", "i")),
        ("for i in range(9):\n    c = {'n': i}\n    by_key(x, c)", ("int-argument", "c['n']")),
        ("o = Options()\nfor i in range(9):\n    o.n = i\n    by_attribute(x, o)", ("int-argument", "o.n")),
        ("o = Options()\nfor i in range(9):\n    setattr(o, 'n', i)\n    by_attribute(x, o)", ("int-argument", "o.n")),
        ("c = {'n': 0}\nfor b in batches:\n    by_key(b, c)\n    c['n'] += 1", ("int-argument", "c['n']")),
        (
            "c = {'options': Options()}\nfor i in range(9):\n    c['options'].n = i\n    nested(x, c)",
            ("int-argument", "c['options'].n"),
        ),
        ("for i in range(9):\n    named(x, {'task': f'task {i}'})", ("str-argument", "f'task {i}'")),
        ("for i in range(9):\n    late(x, {'late': i > 3})", ("bool-argument", "i > 3")),
        ("for i in range(9):\n    dropped(x, Options(1, i / 10))", ("float-argument", "i / 10")),
        ("for i in range(9):\n    static(x, {'n': i})", ("static-argument", "i")),
        ("for p in model.parameters():\n    all_of([p])", ("parameter-argument", "p")),
        (
            "class Loop(Sampler):\n    def run(self, x):\n        for i in range(9):\n            self.i = i\n"
            "            self.one(x)\n    @torch.compile\n    def one(self, x):\n        return x * TABLE[self.i]",
            ("int-argument", "self.i"),
        ),
        (
            "def one(x, i):\n    return by_key(x, {'n': i})\nfor i in range(9):\n    one(x, i)",
            ("int-argument", "i"),
        ),
        (
            "def one(x, i):\n    c = {'n': i}\n    return by_key(x, c)\nfor i in range(9):\n    one(x, i)",
            ("int-argument", "c['n']"),
        ),
        (
            "class Loop:\n    def __init__(self):\n        self.i = 0\n        self.f = torch.compile(self._f)\n"
            "    def _f(self, x):\n        return x * TABLE[self.i]\n"
            "    def one(self, x):\n        self.i += 1\n        return self.f(x)",
            ("int-argument", "self.i"),
        ),
        ("net = Net()\nfor i in range(9):\n    net.n = i\n    of_net(net, x)", ("attribute-set-in-loop", "net.n = i")),
    ],
)
def test_each_call_finds_another_value_in_what_it_is_given(code: str, event: tuple[str, str] | None) -> None:
    found = told(code)
    assert found == ([] if event is None else [event])


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the number stays", "for i in range(9):\n    by_key(x, {'n': 3})"),
        ("the number stays", "for i in range(9):\n    by_attribute(x, Options(3))"),
        ("nobody reads it", "for i in range(9):\n    by_key(x, {'n': 3, 'i': i})"),
        ("nobody reads it", "o = Options()\nfor i in range(9):\n    o.rate = i / 10\n    by_attribute(x, o)"),
        ("nobody reads it", "net = Net()\nfor i in range(9):\n    net.unread = i\n    of_net(net, x)"),
        ("it becomes dynamic", "for i in range(9):\n    arithmetic(x, {'n': i})"),
        ("it becomes dynamic", "for i in range(9):\n    by_place(x, (3, i))"),
        ("there are few values", "for i in range(3):\n    by_key(x, {'n': i})"),
        ("the function takes another", "for i in range(9):\n    made_anew(x, {'n': i})"),
        ("the function sets it first", "for i in range(9):\n    put_anew(x, {'n': i})"),
        ("it is set once", "c = {'n': 0}\nfor i in range(9):\n    by_key(x, c)\nc['n'] = 2"),
        ("it is set in a loop before", "c = {'n': 0}\nfor i in range(9):\n    c['n'] = i\nby_key(x, c)"),
        ("it is made once", "i = 3\nc = {'n': i}\nfor _ in range(9):\n    by_key(x, c)"),
        ("what is set last stays", "for i in range(9):\n    c = {'n': i}\n    c['n'] = 3\n    by_key(x, c)"),
        (
            "another object is set",
            "o, p = Options(), Options()\nfor i in range(9):\n    p.n = i\n    by_attribute(x, o)",
        ),
        ("a half is no such number", "for i in range(9):\n    by_attribute(x, SimpleNamespace(half=i, n=2))"),
    ],
)
def test_what_is_given_costs_nothing(why: str, code: str) -> None:
    assert told(code) == []


def test_a_text_that_holds_the_number_is_told_where_it_is() -> None:
    found = told("for i in range(9):\n    shown(x, {'n': i})")
    assert ("number-in-text", "f\"step {c['n']} of 9\"") in found
