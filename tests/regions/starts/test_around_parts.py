"""Models of which a script compiles parts."""

from __future__ import annotations

import pytest

from compilelint.regions import compiled_roots, offered_roots
from compilelint.report.confidence import Confidence
from tests.regions.project import inspector

NETS = """\
import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x): ...


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x): ...


class Head(nn.Module):
    def forward(self, x): ...


class Model(nn.Module):
    _repeated_blocks = ["Block", "Gone"]

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.head = Head()

    def forward(self, x): ...


class Other(nn.Module):
    def forward(self, x): ...
"""
PARTS = [
    "for block in model.blocks:\n    block.compile()",
    "for i, block in enumerate(model.blocks):\n    model.blocks[i] = torch.compile(block)",
    "for name, block in model.blocks.named_children():\n    model.blocks.register_module(name, torch.compile(block))",
    "for part in model.modules():\n    if isinstance(part, Block):\n        part.compile()",
    "def compile_blocks(net):\n    for block in net.blocks:\n        block.compile()\n\ncompile_blocks(model)",
    "model.blocks[0].compile()",
    "model.blocks[0] = torch.compile(model.blocks[0])",
    "model.compile_repeated_blocks(fullgraph=True)",
]


def how_sure(script: str, *, apart: bool, nets: str = NETS) -> dict[str, Confidence]:
    """How sure what is found in each `forward` can be that the models' file offers, by class."""
    if apart:
        given, file = inspector("from nets import *\nmodel = Model()\n" + script, nets=nets), "nets.py"
    else:
        given, file = inspector("model = Model()\n" + script, nets), "train.py"
    return {root.function.name.partition(".")[0]: root.ceiling for root in offered_roots(given, file)}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("script", PARTS)
def test_what_is_around_the_parts_that_a_script_compiles_is_hardly_compiled(script: str, apart: bool) -> None:
    found = how_sure(script, apart=apart)
    assert (found.get("Model", Confidence.LOW), found["Head"]) == (Confidence.LOW, Confidence.LOW)
    assert (found["Block"], found["Inner"], found["Other"]) == (Confidence.HIGH,) * 3


OWN_METHOD = """
    def compile_forward(self, **options):
        self._impl = torch.compile(self._forward, **options)

    def forward(self, x):
        return self._impl(x)

    def _forward(self, x): ...
"""


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("script", "sure"),
    [
        ("for block in model.blocks:\n    block.compile_forward(dynamic=False)", Confidence.LOW),
        ("block = Block()\nblock.compile_forward()", Confidence.LOW),
        ("for block in model.blocks:\n    block.compile_forward()\nnet = torch.compile(model)", Confidence.HIGH),
        ("for block in model.blocks:\n    block.recompile_later()", Confidence.HIGH),
    ],
)
def test_what_is_around_a_part_that_compiles_a_method_of_itself(script: str, sure: Confidence, apart: bool) -> None:
    nets = NETS.replace("        self.inner = Inner()\n\n    def forward(self, x): ...\n", OWN_METHOD)
    found = how_sure(f"{script}\nprint(model)", apart=apart, nets=nets)
    assert found["Model"] == sure


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("why", "script"),
    [
        ("nothing is compiled", "for block in model.blocks:\n    block.eval()"),
        ("the whole is", "net = torch.compile(model)"),
        ("the whole is, too", f"{PARTS[0]}\nnet = torch.compile(model)"),
        ("it belongs to no model", "block = Block()\nblock.compile()"),
        ("they stand side by side", "nets = [Block(), Head()]\nfor net in nets:\n    net.compile()"),
        ("it is no module", "import re\nfor pattern in model.blocks:\n    re.compile(pattern)"),
        ("nobody knows what it is", "for block in unknown:\n    block.compile()"),
    ],
)
def test_a_model_that_may_be_compiled(why: str, script: str, apart: bool) -> None:
    assert how_sure(f"{script}\nmodel.head(model)\nprint(model)", apart=apart)["Model"] == Confidence.HIGH


@pytest.mark.parametrize(
    ("script", "compiled"),
    [
        ("from accelerate.utils import compile_regions\nmodel = compile_regions(Model())", ["Block", "Head"]),
        ("from accelerate.utils import compile_regions\nhead = compile_regions(Head())", ["Head"]),
        ("Model().compile_repeated_blocks()", ["Block"]),
        (
            "from accelerate.utils import compile_regions\nclass Tree(nn.Module):\n    def __init__(self):\n"
            "        self.below = Tree()\n        self.model = Model()\n    def forward(self, x): ...\n"
            "compile_regions(Tree())",
            ["Block", "Head"],
        ),
    ],
)
def test_what_compiles_regions_compiles_no_more(script: str, compiled: list[str]) -> None:
    nets = NETS.replace("class Model(nn.Module)", "from diffusers import ModelMixin\nclass Model(ModelMixin)")
    roots = list(compiled_roots(inspector(script, nets), "train.py"))
    assert sorted(root.function.name.partition(".")[0] for root in roots) == compiled
