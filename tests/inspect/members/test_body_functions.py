"""Functions that a class body names."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

SHARED = """
def shared(self, x: Tensor):
    return x.tolist()
def plain(x: Tensor):
    return x.tolist()
class Base(nn.Module):
    act = staticmethod(plain)
    go = shared
class Net(Base):
    own = staticmethod(lambda x: x.tolist())
    def forward(self, x: Tensor):
        return {}
"""


@pytest.mark.parametrize(
    "call", ["self.act(x)", "self.go(x)", "self.own(x)", "Net.act(x)", "Net.go(self, x)", "type(self).own(x)"]
)
def test_what_they_are_given_is_as_python_has_it(call: str) -> None:
    assert callees(SHARED.format(call), "Net.forward")[-1] == "torch.Tensor.tolist"


def test_a_builtin_is_not_bound() -> None:
    code = (
        "class Net(nn.Module):\n    act = torch.relu\n    def forward(self, x: Tensor):\n        return self.act(x)\n"
    )
    assert callees(code, "Net.forward") == ["torch.relu"]
