"""Compiled modules that are put into another one, where that is no attribute of its own."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

OUTER = """
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Net() for _ in range(3)])
        self.seq = nn.Sequential(Net(), Net())

    def forward(self, x):
        return self.seq(x)

model = Outer()
"""


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(3):\n    model.layers[i] = torch.compile(model.layers[i])",
        "for i, layer in enumerate(model.layers):\n    model.layers[i] = torch.compile(layer)",
        "model.seq[0] = torch.compile(model.seq[0])",
        "model.layers.append(torch.compile(Net()))",
        "model.layers.register_module('0', torch.compile(Net()))",
        "model.add_module('last', torch.compile(Net()))",
        "setattr(model, 'last', torch.compile(Net()))",
        "for name, layer in model.layers.named_children():\n"
        "    layer = torch.compile(layer)\n    model.layers.register_module(name, layer)",
    ],
)
def test_the_child_is_the_wrapper(code: str) -> None:
    assert constructs_around(NET + OUTER + code).count("submodule") == 1


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("a dict is no module", "found = {}\nfound['net'] = torch.compile(Net())"),
        ("a list is none", "found = []\nfound.append(torch.compile(Net()))"),
        ("a list that is nobody's", "layers = nn.ModuleList([Net()])\nlayers[0] = torch.compile(layers[0])"),
        ("a function has no parameters", "model.step = torch.compile(lambda x: x)"),
        ("in place, it keeps its names", "for layer in model.layers:\n    layer.compile()"),
        ("the original is put there", "layer = Net()\nfast = torch.compile(layer)\nmodel.layers[0] = layer"),
        ("bound anew", "layer = torch.compile(Net())\nlayer = Net()\nmodel.layers[0] = layer"),
        ("of an object that nobody knows", "def put(found):\n    found[0] = torch.compile(Net())"),
    ],
)
def test_no_module_keeps_the_wrapper(why: str, code: str) -> None:
    assert "submodule" not in constructs_around(NET + OUTER + code)
