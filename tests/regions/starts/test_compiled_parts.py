"""Modules that compile what they hold."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import offered_roots
from tests.source.make import tree

CODE = """
import torch
from torch import nn
from torch.nn.attention.flex_attention import flex_attention

class Part(nn.Module):
    def __init__(self): ...

class Whole(nn.Module):
    def __init__(self, part, fast):
        super().__init__()
        self.part = part
        {body}
    def forward(self, x):
        return self.part(x)

class Derived(Whole):
    def forward(self, x):
        return self.part(x) + 1
"""


def offered(body: str) -> list[str]:
    inspector = Inspector(Knowledge(tree({"net.py": CODE.format(body=body)})), lambda *_: False)
    return [root.label.split(" ")[-1] for root in offered_roots(inspector, "net.py")]


@pytest.mark.parametrize(
    "body",
    [
        "self.part.compile()",
        "self.part.inner.compile(dynamic=True)",
        "self.part = torch.compile(part)\n        self.part = torch.compile(self.part)",
        "self.part = torch.compile(Part())",
        "self.part = torch.compile(nn.Linear(3, 3))",
    ],
)
def test_one_that_always_compiles_a_module_runs_as_it_stands(body: str) -> None:
    assert offered(body) == []


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("an option asks for it", "if fast: self.part.compile()"),
        ("it may be a function", "self.attend = torch.compile(part)"),
        ("it is a function", "self.attend = torch.compile(flex_attention)"),
        ("it is not its own", "part.compile()"),
        ("nothing is compiled", "self.part = Part()"),
    ],
)
def test_one_that_may_be_compiled_as_a_whole_is_offered(why: str, body: str) -> None:
    assert offered(body) == ["Whole.forward", "Derived.forward"]
