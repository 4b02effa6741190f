"""What is known of items of a root's argument in the functions that the root hands the argument to."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def hidden(self, x, record, *, other=None):
        return record.pos.nonzero()

    def further(self, given):
        return self.hidden(1, given)

    def named(self, record: dict):
        return record["pos"].nonzero()

    def inner(self, x, record):
        return record["pos"].nonzero()

    def forward(self, x, data):
        {body}
"""


def rows_counted(body: str) -> bool:
    """Whether `nonzero` of a tensor is seen, likely."""
    found = events(NET.format(body=body), "Net.forward", "call")
    return any(event.callee == "torch.Tensor.nonzero" and event.confidence > Confidence.LOW for event in found)


@pytest.mark.parametrize(
    "body",
    [
        "return self.hidden(x, data)",
        "return self.hidden(x, record=data)",
        "return self.further(data)",
        "return self.inner(x, data)",
        "return self.inner(x, data['graph'])",
        "return self.inner(x, data.graph)",
        "data.update(x=x)\n        return self.inner(x, data)",
        "pos = data['pos'].cumsum(0)\n        return self.named(data)",
    ],
)
def test_what_is_assumed_of_an_item_is_handed_on_with_what_holds_it(body: str) -> None:
    assert rows_counted(body)


@pytest.mark.parametrize(
    "body",
    [
        "data = other(data)\n        return self.hidden(x, data)",
        "data.pos = other(x)\n        return self.hidden(x, data)",
        "return self.hidden(data, x.what())",
        "return self.hidden(*data)",
    ],
)
def test_nothing_is_handed_on_with_anything_else(body: str) -> None:
    assert not rows_counted(body)
