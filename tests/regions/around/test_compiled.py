"""What is seen to be compiled where it is called."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, name):
        return x * len(name)

def f(x, name):
    return x * len(name)
"""
LOOP = "for i in range(9):\n    {}(x, f'step{{i}}')"


@pytest.mark.parametrize(
    "code",
    [
        "g = torch.compile(f)\n" + LOOP.format("g"),
        "f = torch.compile(f)\n" + LOOP.format("f"),
        "g = torch.compile(Net())\n" + LOOP.format("g"),
        "g = torch.compile(Net().eval(), backend='eager')\n" + LOOP.format("g"),
        "g = Net()\ng.compile()\n" + LOOP.format("g"),
        "g = torch.compile(lambda x, name: x * len(name))\n" + LOOP.format("g"),
        "@torch.compile\ndef g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
        "@torch.compile(fullgraph=True)\ndef g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
        "g = [torch.compile(Net()) for _ in range(3)]\n" + LOOP.format("g[0]"),
        "import other\nh = torch.compile(f)\nh(x, 'a')\n" + LOOP.format("other.g"),
        "class A:\n    @torch.compile\n    def g(self, x, name):\n        return x * len(name)\na = A()\n"
        + LOOP.format("a.g"),
        "from other import g\nh = torch.compile(f)\nh(x, 'a')\n" + LOOP.format("g"),
        "class A(nn.Module):\n    @torch.compile\n    def forward(self, x, name):\n        return x * len(name)\n"
        "g = A()\n" + LOOP.format("g"),
        "class A:\n    @torch.compile\n    def __call__(self, x, name):\n        return x * len(name)\n"
        + LOOP.format("A()"),
        "g = Net()\ng.forward = torch.compile(g.forward)\n" + LOOP.format("g"),
        "from functools import partial\nfast = partial(torch.compile, dynamic=True)\ng = fast(f)\n" + LOOP.format("g"),
        "g = torch.compile(f) if options.fast else f\n" + LOOP.format("g"),
        "g = f if options.slow else torch.compile(Net())\n" + LOOP.format("g"),
        "def fast(options):\n    return torch.compile(f) if options else f\ng = fast(options)\n" + LOOP.format("g"),
        "def fast(f):\n    return torch.compile(f)\ng = fast(f)\n" + LOOP.format("g"),
        "if fast:\n    g = torch.compile(f)\nelse:\n    g = f\n" + LOOP.format("g"),
        "if big:\n    net = Net()\nelse:\n    net = nn.Identity()\ng = torch.compile(net)\n" + LOOP.format("g"),
        "if big:\n    g = torch.compile(Net())\nelse:\n    g = torch.compile(nn.Identity())\n" + LOOP.format("g"),
        "match size:\n    case 1:\n        net = Net()\n    case 2:\n        net = nn.Identity()\n"
        "g = torch.compile(net)\n" + LOOP.format("g"),
        "cls = Net if big else nn.Identity\ng = torch.compile(cls())\n" + LOOP.format("g"),
        "NETS = {'net': Net, 'none': nn.Identity}\ng = torch.compile(NETS[name]())\n" + LOOP.format("g"),
        "NETS = {}\nNETS['net'] = Net\ndef build(name, **options):\n    return NETS[name](**options)\n"
        "def main(args):\n    g = build(args.name, **args.options)\n    g = torch.compile(g)\n"
        "    for i in range(9):\n        g(x, f'step{i}')",
        "def make():\n    @torch.compile\n    def step(x, name):\n        return x * len(name)\n    return step\n"
        "g = make()\n" + LOOP.format("g"),
        "def train(g):\n    g = torch.compile(g)\n    for i in range(9):\n        g(x, f'step{i}')\ntrain(Net())",
        "def train(g):\n    g.compile()\n    for i in range(9):\n        g(x, f'step{i}')\ntrain(Net())",
        "class A:\n    def step(self, x, name):\n        return x * len(name)\n"
        "def run(a):\n    g = torch.compile(a.step)\n    for i in range(9):\n        g(x, f'step{i}')\nrun(A())",
        "g = [torch.compile(f), torch.compile(nn.Identity())]\n" + LOOP.format("g[0]"),
        "g = [torch.compile(f)]\nfor i in range(9):\n    for h in g:\n        h(x, f'step{i}')",
        "fs = [f]\ng = [torch.compile(h) for h in fs]\n" + LOOP.format("g[0]"),
        "g = {'a': torch.compile(f), 'b': f}\n" + LOOP.format("g['a']"),
        "g = {n: torch.compile(h) for n, h in {'a': f}.items()}\n" + LOOP.format("g['a']"),
        "g = {'a': torch.compile(f)}\nfor i in range(9):\n    for n, h in g.items():\n        h(x, f'step{i}')",
        "g = {'a': torch.compile(f)}\nfor i in range(9):\n    for h in g.values():\n        h(x, f'step{i}')",
        "class A:\n    def __init__(self):\n        self.g = torch.compile(f)\na = A()\n" + LOOP.format("a.g"),
        "class A:\n    def __init__(self):\n        self.g = torch.compile(self.g)\n"
        "    def g(self, x, name):\n        return x * len(name)\na = A()\n" + LOOP.format("a.g"),
        "class A:\n    def g(self, x, name):\n        return x * len(name)\na = A()\na.g = torch.compile(a.g)\n"
        + LOOP.format("a.g"),
        "import other\na = other.A()\nh = torch.compile(f)\nh(x, 'a')\n" + LOOP.format("a.g"),
        "def fast(fn):\n    return torch.compile(fn)\n@fast\ndef g(x, name):\n    return x * len(name)\n"
        + LOOP.format("g"),
        "def fast(**options):\n    def decorate(fn):\n        return torch.compile(fn, **options)\n"
        "    return decorate\n@fast(fullgraph=True)\ndef g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
        "fast = torch.compile(fullgraph=True)\n@fast\ndef g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
        "from functools import partial\nfast = partial(torch.compile, fullgraph=True)\n@fast\n"
        "def g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
    ],
)
def test_a_compiled_callable_is_known(code: str) -> None:
    other = """
import torch

@torch.compile
def g(x, name):
    return x * len(name)

class A:
    def __init__(self):
        self.g = torch.compile(self._g)

    def _g(self, x, name):
        return x * len(name)
"""
    assert constructs_around(PRELUDE + code, other=other) == ["str-argument"]


def test_of_what_a_table_holds_only_what_is_under_the_key_is_compiled() -> None:
    code = "NETS = {'net': Net, 'none': nn.Identity}\ng = torch.compile(NETS['none']())\n" + LOOP.format("g")
    assert constructs_around(PRELUDE + code) == []


def test_what_iterates_over_a_table_has_its_keys() -> None:
    code = "NETS = {'net': Net()}\nfor net in NETS:\n    g = torch.compile(net)\n    g(x, f'step{net}')"
    assert constructs_around(PRELUDE + code) == []


def test_what_a_later_statement_binds_is_compiled_alone() -> None:
    code = "if big:\n    net = Net()\nelse:\n    net = nn.Identity()\nnet = nn.Identity()\ng = torch.compile(net)\n"
    assert constructs_around(PRELUDE + code + LOOP.format("g")) == []


@pytest.mark.parametrize(
    "assignment",
    [
        "self.step = torch.compile(self.run)",
        "self.net = Net()\n        self.step = torch.compile(self.net)",
        "self.step = torch.compile(f)",
        "self.step = torch.compile(Net(), backend='eager')",
        "net = Net()\n        self.step = torch.compile(net)",
        "self.step = torch.compile(f) if options.fast else f",
    ],
)
def test_a_compiled_attribute_is_known(assignment: str) -> None:
    code = f"""
class Trainer:
    def __init__(self):
        {assignment}

    def run(self, x, name):
        return x * len(name)

    def train(self, x):
        for i in range(9):
            self.step(x, f"step{{i}}")
            self.other(x, f"step{{i}}")
"""
    assert constructs_around(PRELUDE + code) == ["str-argument"]


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("torch.compile(h)", ["str-argument"]),
        ("torch.compile(h) if fast else h", ["str-argument"]),
        ("h", []),
    ],
)
def test_an_attribute_holds_what_a_function_compiles(made: str, found: list[str]) -> None:
    code = f"""
def make(fast=False):
    def h(x, name):
        return x * len(name)
    return {made}

class Trainer:
    def __init__(self):
        self.step = make(fast=True)

    def train(self, x):
        for i in range(9):
            self.step(x, f"step{{i}}")
"""
    assert constructs_around(PRELUDE + code) == found


def test_what_a_trainer_compiles_is_what_it_is_made_with() -> None:
    code = """
class Trainer:
    def __init__(self, model):
        self.model = torch.compile(model)

    def fit(self, x):
        for i in range(9):
            self.model(x, f"step{i}")

Trainer({}).fit(3)
"""
    assert constructs_around(PRELUDE + code.replace("{}", "Net()")) == ["str-argument"]
    assert constructs_around(PRELUDE + code.replace("{}", "what()")) == []


@pytest.mark.parametrize(
    "body",
    [
        "g = torch.compile(g)\nexcept Exception:\n    g = f",
        "g = torch.compile(g)\n    print('compiled')\nexcept Exception as e:\n    print(e)\n    g = f",
        "g = torch.compile(g)\n    h = torch.compile(f)\n    print()\nexcept RuntimeError:\n    g, h = f, f",
    ],
)
def test_what_a_handler_puts_in_its_place_is_not_always_there(body: str) -> None:
    code = f"{PRELUDE}g = f\ntry:\n    {body}\n{LOOP.format('g')}"
    assert "str-argument" in constructs_around(code)


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("never compiled", LOOP.format("f")),
        ("compiled later", LOOP.format("f") + "\nf = torch.compile(f)\nf(x, 'a')"),
        ("another name", "g = torch.compile(f)\ng(x, 'a')\n" + LOOP.format("f")),
        ("no longer compiled", "g = torch.compile(f)\ng(x, 'a')\ng = f\n" + LOOP.format("g")),
        ("compiled by somebody else", "g = compile(f)\n" + LOOP.format("g")),
        ("given by what compiles nothing", "def same(f):\n    return f\ng = same(f)\n" + LOOP.format("g")),
        (
            "given by nobody",
            "def train(g):\n    g = torch.compile(g)\n    for i in range(9):\n        g(x, f'step{i}')",
        ),
        (
            "no longer what was given",
            "def train(g):\n    g = what()\n    g = torch.compile(g)\n    for i in range(9):\n"
            "        g(x, f'step{i}')\ntrain(Net())",
        ),
        ("another item", "g = {'a': torch.compile(f), 'b': f}\n" + LOOP.format("g['b']")),
        ("put on another object", "a.g = torch.compile(f)\na.g(x, 'a')\n" + LOOP.format("b.g")),
        ("put on it later", LOOP.format("a.g") + "\na.g = torch.compile(f)"),
        (
            "a decorator that compiles something else",
            "def fast(fn):\n    torch.compile(f)(x, 'a')\n    return fn\n"
            "@fast\ndef g(x, name):\n    return x * len(name)\n" + LOOP.format("g"),
        ),
        ("unpacked arguments", "g = torch.compile(f)\nfor i in range(9):\n    g(*args, f'step{i}')"),
    ],
)
def test_nothing_compiled_is_called(why: str, code: str) -> None:
    assert "str-argument" not in constructs_around(PRELUDE + code), why
