"""Classes whose `__new__` makes objects of other classes."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

CODE = """
class Base(nn.Module):
    def forward(self, x):
        return self.compute(x)
    def compute(self, x):
        raise NotImplementedError
class Slow(Base):
    def compute(self, x):
        print("slow")
        return x
class Fast(Base):
    def compute(self, x):
        return len("fast")
class Cell(Base):
    def compute(self, x):
        return input("cell")
    def __new__(cls, fast=False):
{body}
class Net(nn.Module):
    def __init__(self, what):
        super().__init__()
        self.cell = Cell({given})
    def forward(self, x: Tensor):
        return self.cell(x)
def f(x: Tensor, net: Net):
    return net(x)
"""
SLOW, FAST, OWN = "builtins.print", "builtins.len", "builtins.input"


@pytest.mark.parametrize(
    ("body", "given", "called"),
    [
        ("return Slow()", "", {SLOW}),
        ("if fast:\n            return Fast()\n        return Slow()", "what", {SLOW, FAST}),
        ("if fast:\n            return Fast()\n        return Slow()", "True", {FAST}),
        ("if fast:\n            return Fast()\n        raise ValueError(fast)", "what", {FAST}),
        ("return super().__new__(cls)", "", {OWN}),
        ("if fast:\n            return Fast()\n        return super().__new__(cls)", "what", {OWN}),
        ("if fast:\n            return None\n        return Slow()", "what", {OWN}),
    ],
)
def test_what_is_made_is_what_new_gives(body: str, given: str, called: set[str]) -> None:
    found = callees(CODE.format(body=f"        {body}", given=given))
    assert {SLOW, FAST, OWN} & set(found) == called
