"""Whether a compiled child has keys that get another name."""

from __future__ import annotations

import pytest

from tests.regions.constructs import NET, constructs_around

PARENT = """
from typing import Callable

class Part({base}):
    def __init__(self, given=None, act: Callable = None, smooth: float = 1.0):
        super().__init__()
        self.smooth = smooth
        {holds}

    def forward(self, x):
        return x

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = torch.compile(Part())
"""


def has_keys(holds: str, base: str = "nn.Module") -> bool:
    return "submodule" in constructs_around(NET + PARENT.format(holds=holds, base=base))


@pytest.mark.parametrize(
    "holds",
    [
        "pass",
        "self.sizes = [1, 2]",
        "self.act = act",
        "self.act = lambda x: x + 1",
        "self.register_buffer('index', torch.arange(3), persistent=False)",
        "self.inner = Empty()",
    ],
)
def test_what_holds_numbers_and_functions_has_no_keys(holds: str) -> None:
    empty = "class Empty(nn.Module):\n    def forward(self, x):\n        return x\n"
    code = NET + empty + PARENT.format(holds=holds, base="nn.Module")
    assert "submodule" not in constructs_around(code)


@pytest.mark.parametrize(
    "holds",
    [
        "self.linear = nn.Linear(3, 3)",
        "self.scale = nn.Parameter(torch.ones(3))",
        "self.register_buffer('index', torch.arange(3))",
        "self.register_parameter('scale', None)",
        "self.add_module('inner', given)",
        "self.inner = given",
        "self.inner = Net()",
        "self.layers = nn.ModuleList([Net()])",
        "setattr(self, 'inner', given)",
    ],
)
def test_what_holds_parameters_or_something_unknown_may_have_keys(holds: str) -> None:
    assert has_keys(holds)


def test_what_a_base_holds_counts() -> None:
    assert has_keys("pass", base="Net")
    assert has_keys("pass", base="nn.Linear")
