"""What a `__getattr__` hands on."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

WRAPPER = """
class Inner(nn.Module):
    def read(self, x):
        return x.tolist()
class Wrapper(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.inner = Inner()
        self.other = other
    def __getattr__(self, name):
        {}
    def forward(self, x: Tensor):
        return self.read(x)
"""


@pytest.mark.parametrize(
    "body",
    [
        "return getattr(self.inner, name)",
        "return getattr(self.inner, name, None)",
        "try:\n            return super().__getattr__(name)\n        except AttributeError:\n"
        "            return getattr(self.inner, name)",
        "if name in self.__dict__:\n            return self.__dict__[name]\n        return getattr(self.inner, name)",
    ],
)
def test_what_is_found_in_what_the_object_holds_is_followed(body: str) -> None:
    assert callees(WRAPPER.format(body), "Wrapper.forward")[-1] == "torch.Tensor.tolist"


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("of something unknown", "return getattr(self.other, name)"),
        ("of another object", "return getattr(self, name)"),
        ("by another name", "return getattr(self.inner, 'x')"),
        ("not handed on", "raise AttributeError(name)"),
    ],
)
def test_nothing_else_is(why: str, body: str) -> None:
    assert "torch.Tensor.tolist" not in callees(WRAPPER.format(body), "Wrapper.forward"), why
