"""Backward hooks on modules.

The positive forms are the examples of the page CL629. Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

NET = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
"""
HOOK = "model[0].register_full_backward_hook(print)\n"


def test_a_hook_on_a_part_of_what_is_compiled() -> None:
    assert "backward-hook" in constructs_around(f"{NET}{HOOK}compiled = torch.compile(model)\n")


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (
            "a class of one's own",
            "class Net(nn.Module):\n    def forward(self, x):\n        return x\n"
            "model = Net()\nmodel.register_full_backward_hook(print)\ncompiled = torch.compile(model)\n",
        ),
        ("nothing is compiled", f"{HOOK}f = torch.compile(print)\n"),
        ("a forward hook", "model[0].register_forward_hook(print)\ncompiled = torch.compile(model)\n"),
        ("on the wrapper", "compiled = torch.compile(model)\ncompiled.register_full_backward_hook(print)\n"),
        ("on another module", f"other = nn.ReLU()\n{HOOK}compiled = torch.compile(other)\n"),
        ("removed", f"h = {HOOK}h.remove()\ncompiled = torch.compile(model)\n"),
        (
            "compiled autograd",
            f"torch._dynamo.config.compiled_autograd = True\n{HOOK}compiled = torch.compile(model)\n",
        ),
    ],
)
def test_no_backward_hook_on_what_is_compiled(why: str, code: str) -> None:
    assert "backward-hook" not in constructs_around(NET + code)


OWN = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])

    def forward(self, x):
        return self.layers[0](x)

model = Net()
"""
ON_PART = "backward-hook-on-part"


@pytest.mark.parametrize(
    "hook",
    [
        "model.layers[0].register_full_backward_hook(print)",
        "model.layers[0].register_full_backward_pre_hook(print)",
        "model = holder.model\nmodel.layers[0].register_full_backward_hook(print)",
        "target = model.layers[-1]\ntarget.register_full_backward_hook(print)",
        "for layer in model.modules():\n    layer.register_full_backward_hook(print)",
        "for name, layer in model.named_modules():\n    layer.register_full_backward_hook(print)",
        "for layer in model.layers.children():\n    layer.register_full_backward_hook(print)",
    ],
)
def test_a_hook_on_a_part_of_an_own_class(hook: str) -> None:
    assert ON_PART in constructs_around(f"{OWN}{hook}\ncompiled = torch.compile(model)\n")


def test_a_hook_on_a_part_of_the_wrapper() -> None:
    hook = "compiled.layers[0].register_full_backward_hook(print)\n"
    assert ON_PART in constructs_around(f"{OWN}compiled = torch.compile(model)\n{hook}")


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("on the whole", "model.register_full_backward_hook(print)\ncompiled = torch.compile(model)\n"),
        ("a forward hook", "model.layers[0].register_forward_hook(print)\ncompiled = torch.compile(model)\n"),
        ("on a parameter", "model.layers[0].weight.register_hook(print)\ncompiled = torch.compile(model)\n"),
        (
            "on a part of another",
            "other = Net()\nother.layers[0].register_full_backward_hook(print)\ncompiled = torch.compile(model)\n",
        ),
        (
            "removed",
            "h = model.layers[0].register_full_backward_hook(print)\nh.remove()\ncompiled = torch.compile(model)\n",
        ),
    ],
)
def test_hooks_that_split_no_graph(why: str, code: str) -> None:
    assert ON_PART not in constructs_around(f"{OWN}{code}"), why
