"""Of several things that may be called, those that can be called like this."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Bias(nn.Module):
    def forward(self, shape, dtype, device):
        return shape.item()

class Sinus(nn.Module):
    def forward(self, positions, scale=1.0):
        return positions.mean().item()

def plain(positions, *, scale):
    return positions.sum().item()

class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "bias":
            self.coder = Bias()
        elif kind == "sinus":
            self.coder = Sinus()
        else:
            self.coder = {last}

    def forward(self, x, y, given: dict, rest: list):
        return self.coder({given})
"""


def read(given: str, last: str = "None") -> list[tuple[str, Confidence]]:
    """What the coders read that may be called with this."""
    code = NET.format(given=given, last=last)
    found = [event for event in events(code, "Net.forward", "call") if event.callee == "torch.Tensor.item"]
    return [(event.source, event.confidence) for event in found]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("x", ["positions.mean().item()"]),
        ("x, y", ["positions.mean().item()"]),
        ("x, scale=2.0", ["positions.mean().item()"]),
        ("x, y, x", ["shape.item()"]),
        ("x, dtype=y, device=y", ["shape.item()"]),
        ("x, *rest", ["shape.item()", "positions.mean().item()"]),
        ("x, **given", ["shape.item()", "positions.mean().item()"]),
        ("x, y, x, y, x", ["shape.item()", "positions.mean().item()"]),
    ],
)
def test_what_lacks_an_argument_is_not_called(given: str, expected: list[str]) -> None:
    assert read(given) == [(source, Confidence.MEDIUM) for source in expected]


def test_a_parameter_that_is_given_by_name_only() -> None:
    assert [source for source, _ in read("x, scale=2.0", "plain")] == [
        "positions.mean().item()",
        "positions.sum().item()",
    ]
    assert [source for source, _ in read("x", "plain")] == ["positions.mean().item()"]
