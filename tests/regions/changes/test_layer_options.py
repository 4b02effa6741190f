"""What a loop through the modules of a compiled model sets."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

PRELUDE = """
import torch
import torch.nn.functional as F
from torch import nn

class Drop(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.1
        self.scale = 1.0
        self.step = 0

    def forward(self, x):
        return F.dropout(x, 1 - self.rate) * self.scale + self.step

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = Drop()
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.own(x))

def schedule(model, rate):
    model.train()
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.p = rate

def set_rate(m, rate):
    if isinstance(m, nn.Dropout):
        m.p = rate

def flags(model, rate):
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.inplace = True

net = Net()
model = torch.compile(net)
x = torch.ones(4)
"""
SET = ["torch-module-set-between-calls"]


def constructs(code: str) -> list[str]:
    return constructs_around(PRELUDE + code)


def loop(asked: str, assigned: str, *, through: str = "m in net.modules()", times: str = "range(9)") -> str:
    return f"""
for i in {times}:
    for {through}:
        if {asked}:
            {assigned}
    model(x)
"""


@pytest.mark.parametrize(
    "code",
    [
        loop("isinstance(m, nn.Dropout)", "m.p = i / 10"),
        loop("isinstance(m, (nn.Dropout, nn.Dropout2d))", "m.p = i / 10", through="n, m in model.named_modules()"),
        loop("isinstance(m, torch.nn.BatchNorm2d)", "m.momentum = 0.5 * i", through="m in net.children()"),
        loop("isinstance(m, Drop)", "m.rate = i / 10"),
        "for i in range(9):\n    schedule(net, i / 10)\n    model(x)",
        loop("isinstance(m, nn.Dropout) or isinstance(m, nn.Dropout2d)", "m.p = i / 10"),
        "for i in range(9):\n    net.apply(lambda m: set_rate(m, i / 10))\n    model(x)",
        "for i in range(9):\n    net = net.apply(lambda layer: set_rate(layer, rate=i / 10))\n    model(x)",
        "for i in range(9):\n    model.apply(lambda m: set_rate(m, i / 10))\n    for row in x:\n        model(row)",
        "for i in range(9):\n    schedule(rate=i / 10, model=model)\n    model(x)",
    ],
)
def test_each_value_is_a_graph(code: str) -> None:
    assert constructs(code) == SET


def test_an_int_of_a_layer_of_the_project_is_an_attribute_set_in_a_loop() -> None:
    assert constructs(loop("isinstance(m, Drop)", "m.step = i")) == ["attribute-set-in-loop"]


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("the same value", loop("isinstance(m, nn.Dropout)", "m.p = 0.5")),
        ("few values", loop("isinstance(m, nn.Dropout)", "m.p = i / 10", times="range(3)")),
        ("arithmetic takes any float", loop("isinstance(m, Drop)", "m.scale = i / 10")),
        ("nobody reads it", loop("isinstance(m, Drop)", "m.seen = i")),
        ("another name is asked", loop("isinstance(net, nn.Dropout)", "m.p = i / 10")),
        ("a name", loop("isinstance(n, nn.Dropout)", "n.p = i", through="n, m in net.named_modules()")),
        ("a tensor", loop("isinstance(m, nn.Dropout)", "m.p = torch.tensor(i / 10)")),
        ("another model", loop("isinstance(m, nn.Dropout)", "m.p = i / 10", through="m in Net().modules()")),
        ("before all calls", loop("isinstance(m, nn.Dropout)", "m.p = i / 10").replace("    model(x)", "model(x)")),
        ("a function that sets something else", "for i in range(9):\n    flags(net, i / 10)\n    model(x)"),
        ("a function with a constant", "for i in range(9):\n    schedule(net, 0.1)\n    model(x)"),
        ("it asks more", loop("isinstance(m, nn.Dropout) or i > 5", "m.p = i / 10")),
        ("applied with a constant", "for i in range(9):\n    net.apply(lambda m: set_rate(m, 0.1))\n    model(x)"),
        ("applied to another", "for i in range(9):\n    Net().apply(lambda m: set_rate(m, i / 10))\n    model(x)"),
        ("applied once", "i = 1\nnet.apply(lambda m: set_rate(m, i / 10))\nfor _ in x:\n    model(x)"),
        ("no module's own", "for i in range(9):\n    net.apply(lambda m: set_rate(net, i / 10))\n    model(x)"),
        ("applied with the layer itself", "for i in range(9):\n    net.apply(lambda i: set_rate(i, i))\n    model(x)"),
        ("a function of another model", "for i in range(9):\n    schedule(Net(), i / 10)\n    model(x)"),
    ],
)  # fmt: skip
def test_no_call_finds_another_value(why: str, code: str) -> None:
    assert constructs(code) == [], why
