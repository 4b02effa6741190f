"""Backward hooks on modules.

The positive forms are the examples of the page CL629. Here is what must not be taken for them.
"""

from __future__ import annotations

import pytest

from tests.regions.around import constructs_around

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
