"""Blocks that repeat in a model. The positive form is the example of CL613."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

MODEL = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)

class Net(nn.Module):
    def __init__(self, width, depth={default}, *, parts=2):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range({count})])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

{code}
"""


def constructs(code: str, count: str = "depth", default: str = "12") -> list[str]:
    return constructs_around(MODEL.format(code=code, count=count, default=default))


@pytest.mark.parametrize(
    "code",
    [
        "model = torch.compile(Net(4))",
        "model = torch.compile(Net(4, 6))",
        "model = Net(4, depth=6).to('cpu')\nmodel = torch.compile(model)",
        "model = Net(*sizes)\nmodel = torch.compile(model)",
        "model = Net(4, depth)\nmodel = torch.compile(model)",
        "def train(model: Net):\n    return torch.compile(model)",
    ],
)
def test_many_blocks_repeat(code: str) -> None:
    assert constructs(code) == ["repeated-blocks"]


@pytest.mark.parametrize(
    "code",
    [
        "model = torch.compile(Net(4, 2))",
        "model = Net(4, depth=2).to('cpu')\nmodel = torch.compile(model)",
        "model = Net(width=4, depth=3)\nmodel = torch.compile(model, fullgraph=True)",
    ],
)
def test_a_few_blocks_are_not_worth_a_word(code: str) -> None:
    assert constructs(code) == []


@pytest.mark.parametrize(("count", "default"), [("depth", "2"), ("3", "12"), ("parts", "12")])
def test_as_few_as_there_are_by_default(count: str, default: str) -> None:
    assert constructs("model = torch.compile(Net(4))", count, default) == []
