"""What a loop gives to a name in each round, where source writes down what it goes through."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

COMPILED = (
    "import torch\n"
    "@torch.compile\n"
    "def f(x, name):\n"
    "    return x + len(name)\n"
    "TABLE = {'a': 1, 'b': 2, 'c': 3, 'd': 4}\n"
)


@pytest.mark.parametrize(
    "head",
    [
        "for name in 'abcd'",
        "for name in 'one two three four'.split()",
        "for name in ['a', 'b', 'c', 'd']",
        "for name in TABLE",
        "for name in TABLE.keys()",
        "for name, _ in TABLE.items()",
        "for _, name in {1: 'a', 2: 'b', 3: 'c', 4: 'd'}.items()",
        "for name in {1: 'a', 2: 'b', 3: 'c', 4: 'd'}.values()",
        "for name, _ in [('a', 1), ('b', 2), ('c', 3), ('d', 4)]",
        "for i, (name, _) in enumerate(TABLE.items())",
        "for (name, _), other in zip(TABLE.items(), 'wxyz')",
    ],
)
def test_texts_that_are_written_down_are_told_apart(head: str) -> None:
    assert "str-argument" in constructs_around(f"{COMPILED}{head}:\n    f(torch.ones(3), name)\n")


@pytest.mark.parametrize(
    "head",
    [
        "for name in 'aaaa'",
        "for name in TABLE.values()",
        "for name in unknown.split()",
        "for name in {**unknown}",
        "for name, _ in [('a', 1), ('b', 2, 3)]",
    ],
)
def test_the_same_text_and_what_is_not_written_down_are_not(head: str) -> None:
    assert "str-argument" not in constructs_around(f"{COMPILED}{head}:\n    f(torch.ones(3), name)\n")


STATIC = (
    "import torch\nimport torch.nn.functional as F\n"
    "def f(x):\n    return x * 2\n"
    "g = torch.compile(f, dynamic=False)\nids = torch.zeros(1, 4)\n"
)


@pytest.mark.parametrize(
    "loop",
    [
        "for _ in range(9):\n    ids = torch.cat([ids, g(ids)[:, -1:]], 1)",
        "while True:\n    y = g(ids)\n    ids = torch.cat((ids, y[:, -1:]), dim=1)",
        "for _ in range(9):\n    ids = torch.hstack([y, ids])\n    if ids.sum() > 3:\n        y = g(ids)",
        "for n in range(9):\n    g(torch.randint(0, 100, (2, n)))",
        "for n in range(9):\n    x = torch.full((2, n), 0.5)\n    g(x)",
    ],
)
def test_a_tensor_that_is_larger_each_time_has_another_size(loop: str) -> None:
    """Measured on torch 2.13: one recompile for each, up to the limit."""
    assert "static-argument" in constructs_around(f"{STATIC}{loop}\n")


@pytest.mark.parametrize(
    ("why", "loop"),
    [
        (
            "it begins anew",
            "for _ in range(9):\n    ids = torch.zeros(1, 4)\n    ids = torch.cat([ids, y], 1)\n    g(ids)",
        ),
        ("it is cut", "for _ in range(9):\n    ids = torch.cat([ids, y], 1)\n    ids = ids[:, -4:]\n    g(ids)"),
        (
            "only now and then",
            "for _ in range(9):\n    if y.sum() > 3:\n        ids = torch.cat([ids, y], 1)\n    g(ids)",
        ),
        ("others are joined", "for _ in range(9):\n    ids = torch.cat([y, y], 1)\n    g(ids)"),
        ("nothing is put to it", "for _ in range(9):\n    ids = torch.cat([ids], 1)\n    g(ids)"),
        ("not in the loop", "ids = torch.cat([ids, y], 1)\nfor _ in range(9):\n    g(ids)"),
        ("another function", "for _ in range(9):\n    ids = torch.add(ids, y)\n    g(ids)"),
        ("the number in it changes", "for n in range(9):\n    g(torch.full((2, 3), n))"),
        ("the bound changes", "for n in range(9):\n    g(torch.randint(n, (2, 3)))"),
    ],
)
def test_a_tensor_of_the_same_size_each_time(why: str, loop: str) -> None:
    assert "static-argument" not in constructs_around(f"{STATIC}y = torch.zeros(1, 1)\n{loop}\n"), why


NORMED = (
    "import torch\nfrom torch import nn\n"
    "class Net(nn.Module):\n"
    "    def __init__(self):\n        super().__init__()\n        self.norm = nn.BatchNorm1d(3)\n"
    "    def forward(self, x):\n        return self.norm(x)\n"
    "net = Net()\ncompiled = torch.compile(net)\ndecay = 0.9\n"
    "for epoch in range(90):\n"
)


def is_changed(value: str) -> bool:
    """Whether a loop is seen to set an option of a layer to another value each time."""
    code = f"{NORMED}    net.norm.momentum = {value}\n    compiled(torch.ones(2, 3))\n"
    return "torch-module-set-between-calls" in constructs_around(code)


@pytest.mark.parametrize(
    "value",
    [
        "0.1 * 0.5**epoch",
        "decay**epoch",
        "decay * epoch",
        "max(0.1 * decay**epoch, 0.01)",
        "1 - decay**epoch",
        "epoch**2",
    ],
)
def test_a_float_that_decays_is_another_one_each_time(value: str) -> None:
    assert is_changed(value)


@pytest.mark.parametrize(
    ("why", "value"),
    [
        ("the same for thirty epochs", "0.1 ** (epoch // 30)"),
        ("one of two", "decay ** (epoch % 2)"),
        ("no loop's number", "decay**2"),
        ("what is given may be a tensor", "unknown**epoch"),
    ],
)
def test_a_power_that_stays(why: str, value: str) -> None:
    assert not is_changed(value)
