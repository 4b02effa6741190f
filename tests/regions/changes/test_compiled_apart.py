"""How people compile layers one by one."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

MODEL = (
    NET
    + """
class Block(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def forward(self, x):
        return x * self.index

class Own(Block):
    def compile(self, optimizer):
        self.optimizer = optimizer

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(i) for i in range(12)])
        self.own = nn.ModuleList([Own(i) for i in range(12)])

model = Model()
"""
)
FOUND = ["differs-per-instance"]


@pytest.mark.parametrize(
    "code",
    [
        "for block in model.blocks:\n    block.compile()",
        "for block in model.blocks.children():\n    block.compile()",
        "for i, block in enumerate(model.blocks):\n    model.blocks[i] = torch.compile(block)",
        "for i in range(len(model.blocks)):\n    model.blocks[i] = torch.compile(model.blocks[i])",
        "for name, block in model.blocks.named_children():\n    setattr(model.blocks, name, torch.compile(block))",
        "for block in model.blocks:\n    block.forward = torch.compile(block.forward)",
        "for m in model.modules():\n    if isinstance(m, Block):\n        m.compile()",
        "for n, m in model.named_modules():\n    if isinstance(m, (Net, Block)):\n"
        "        m.forward = torch.compile(m.forward)",
        "model.blocks = nn.ModuleList([torch.compile(block) for block in model.blocks])",
        "model.blocks = nn.ModuleList(torch.compile(block) for i, block in enumerate(model.blocks))",
        "def regional(model):\n    for block in model.blocks:\n        block.compile()\n\nregional(model)",
        "def regional(model):\n    for i, block in enumerate(model.blocks):\n"
        "        model.blocks[i] = torch.compile(block)\n\nregional(model)",
    ],
)
def test_layers_are_compiled_one_by_one(code: str) -> None:
    # That keys get other names (CL607) is told of what becomes a part of the model again.
    assert [each for each in constructs_around(MODEL + code) if each != "submodule"] == FOUND


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("one of them only", "block = model.blocks[0]\nblock.compile()"),
        ("what holds them", "for m in model.modules():\n    if isinstance(m, Model):\n        m.compile()"),
        ("all but them", "for m in model.modules():\n    if isinstance(m, Block): pass\n    else: m.compile()"),
        ("another name is asked", "for m, n in load():\n    if isinstance(m, Block):\n        n.compile()"),
        ("a method of their own", "for layer in model.own:\n    layer.compile(None)"),
        ("nobody knows the model", "def regional(model):\n    for block in model.blocks:\n        block.compile()"),
        ("a pattern", "import re\nfor block in model.blocks:\n    re.compile(str(block.index))"),
        ("a comprehension over others", "others = [torch.compile(each) for each in load()]"),
    ],
)  # fmt: skip
def test_they_are_not(why: str, code: str) -> None:
    assert "differs-per-instance" not in constructs_around(MODEL + code), why
