from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, UNKNOWN, Kind
from tests.inspect.make import callees, returned

NET = """
import types
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x

def count(self, x):
    return len(x.shape)

net = Net()
"""


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("types.MethodType(count, net)", INT),
        ("types.MethodType(lambda self, x: len(x), net)", INT),
        ("types.MethodType(count, unknown)", UNKNOWN),
        ("types.MethodType(unknown, net)", UNKNOWN),
    ],
)
def test_a_method_that_is_made_is_entered_and_told(made: str, kind: Kind) -> None:
    code = f"{NET}\ndef f(x):\n    return {made}(x)"
    assert returned(code) == kind
    assert callees(code).count("types.MethodType") == 1
