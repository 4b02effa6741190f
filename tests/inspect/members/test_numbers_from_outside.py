"""Whole numbers that a file sets on objects whose classes do not have them."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, UNKNOWN, Kind
from tests.inspect.make import returned

CODE = """
class Net(nn.Module):
    def forward(self, x: Tensor):
        self.calls += 1
        return x
    def held(self):
        return self.calls

def install(net):
    net.calls = 0
"""


@pytest.mark.parametrize(
    ("set_", "kind"),
    [
        ("net.calls = 0", INT),
        ("net.__class__.calls = 3", INT),
        ("net.calls = net.steps = 0", INT),
        ("net.calls = 0.5", UNKNOWN),
        ("net.calls = True", UNKNOWN),
        ("net.calls = steps()", UNKNOWN),
        ("net.calls = 0\n    net.calls = torch.zeros(())", UNKNOWN),
        ("net.other = 0", UNKNOWN),
    ],
)
def test_a_number_that_a_function_sets_on_a_module(set_: str, kind: Kind) -> None:
    assert returned(CODE.replace("net.calls = 0", set_), "Net.held") == kind


def test_what_the_class_has_itself_is_that() -> None:
    code = CODE.replace("    def held", "    def __init__(self):\n        self.calls = None\n    def held")
    assert returned(code, "Net.held") != INT
