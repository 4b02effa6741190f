"""Texts and flags that a compiled function only hands through cost nothing; what it asks of them does.

Each was run with torch 2.13: one graph where nothing is asked, eight and then none where something is.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
from torch import nn
from typing import NamedTuple

class Out(NamedTuple):
    y: torch.Tensor
    name: str

class Kept:
    def __init__(self, y, name):
        self.y = y
        self.name = name

def same(name):
    return name

def pack(y, name):
    return y, name

def pack_named(y, name):
    return dict(y=y, name=name)

def through(y, name):
    return pack_named(y, name)

def ignoring(y, name):
    return y + 1

def asking(y, name):
    return y * len(name)

def spread(y, **meta):
    return {"y": y, **meta}

def f(x, name):
    BODY

f = torch.compile(f)
for i in range(10):
    f(torch.randn(4), f"layer{i}")
"""


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("a function of the project gives it back", "return x * 2, same(name)"),
        ("in a tuple", "return pack(x * 2, name)"),
        ("two functions in turn", "return through(x * 2, name)"),
        ("a function takes it and does nothing with it", "return ignoring(x, name)"),
        ("by way of its keywords", "return spread(x * 2, name=name)"),
        ("what is looked at of the container is something else", "return through(x, name)['y'] * 2"),
        ("what is taken apart is given back", "y, label = pack(x, name)\n    return y * 2, label"),
        ("a named tuple holds it", "return Out(x * 2, name=name)"),
        ("it is put into a dict", "out = {'y': x * 2}\n    out['name'] = name\n    return out"),
        ("it is put into a list", "out = [x * 2]\n    out.append(name)\n    return out"),
        ("what it is asked is its type", "if isinstance(name, str):\n        x = x + 1\n    return x * 2"),
        ("what it is asked is its type, otherwise", "if type(name) is str:\n        x = x + 1\n    return x * 2"),
        (
            "what it is asked is whether it is a tensor",
            "return x if torch.is_tensor(name) or callable(name) else x * 2",
        ),
        ("only an error message names it", "if x.dim() > 3:\n        raise ValueError(name)\n    return x * 2"),
    ],
)
def test_nothing_is_asked(why: str, body: str) -> None:
    assert "str-argument" not in constructs_around(PRELUDE.replace("BODY", body)), why


@pytest.mark.parametrize(
    "body",
    [
        "return asking(x, name)",
        "return {name: x * 2}",
        "return Kept(x * 2, name)",
        "return x * 2 if name is not None else x",
        "name = name or 'none'\n    return x * 2, name",
        "return x * len(same(name))",
        "return x * len(pack(x, name)[1])",
        "y, label = pack(x, name)\n    return y * len(label)",
        "out = {'y': x * 2}\n    out['name'] = name\n    return x * len(out['name'])",
        "return x * len(Out(x, name).name)",
        "inner = lambda t: t * len(name)\n    return inner(x)",
    ],
)
def test_something_is_asked(body: str) -> None:
    assert "str-argument" in constructs_around(PRELUDE.replace("BODY", body))


def test_a_flag_that_a_function_gives_back() -> None:
    code = PRELUDE.replace("BODY", "return pack(x * 2, name)").replace('f"layer{i}"', "i == 9")
    assert "bool-argument" not in constructs_around(code)


FLAGS = """
import torch
from torch import nn
DEBUG = False

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.verbose = False

    def forward(self, x, name):
        if FLAG:
            print(name)
        return x * 2

net = Net()
model = torch.compile(net)
for i in range(10):
    model(torch.randn(3), f"layer{i}")
"""


@pytest.mark.parametrize("flag", ["DEBUG", "self.verbose", "DEBUG and x.dim() == 1", "not True or DEBUG"])
def test_a_flag_of_the_file_or_the_object_says_that_nothing_is_asked(flag: str) -> None:
    code = FLAGS.replace("FLAG", flag)
    assert ("str-argument" in constructs_around(code)) is (" or " in flag)
    for turned_on in ("net.verbose = True\nDEBUG = True\nmodel = ",):
        assert "str-argument" in constructs_around(code.replace("model = ", turned_on))


BASES = """
import torch
from torch import nn

class Base(nn.Module):
    def forward(self, x, name=None):
        return x * BODY

class Net(Base):
    def forward(self, x, name=None):
        return super().forward(x, name) * 2

model = torch.compile(Net())
for i in range(10):
    model(torch.randn(3), f"layer{i}")
"""


@pytest.mark.parametrize(("body", "told"), [("2", False), ("len(name)", True)])
def test_what_the_method_of_the_base_asks(body: str, told: bool) -> None:
    assert ("str-argument" in constructs_around(BASES.replace("BODY", body))) is told
