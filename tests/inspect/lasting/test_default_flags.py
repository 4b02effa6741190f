"""What begins anew only where a flag is given, or where it is not."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def sureness(signature: str, begins: str, body: str = "self.step += 1", after: str = "") -> Confidence | None:
    """How sure it is that a count goes on from call to call."""
    code = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def act(self, x):
        self.step += 1
        return x + self.step

    def forward(self, x: Tensor, {signature}):
        {begins}
            self.step = 0
        {body}
        return x + self.step

{after}
"""
    found = [each for each in events(code, "Net.forward", "attribute-write") if each.construct == "augmented"]
    return max((each.confidence for each in found), default=None)


_BEGINS = [
    ("reset=True", "if reset:"),
    ("keep=False", "if not keep:"),
    ("cache=None", "if cache is None:"),
    ("mode=0", "if mode == 0:"),
]
_GOES_ON = [
    ("reset=False", "if reset:"),
    ("keep=True", "if not keep:"),
    ("cache=None", "if cache is not None:"),
]


@pytest.mark.parametrize(("signature", "begins"), _BEGINS)
def test_what_begins_anew_by_default_does_not_go_on(signature: str, begins: str) -> None:
    assert sureness(signature, begins) is None


@pytest.mark.parametrize(("signature", "begins"), _BEGINS)
def test_nor_where_a_method_counts_that_is_called_behind_it(signature: str, begins: str) -> None:
    assert sureness(signature, begins, "x = self.act(x)") == Confidence.LOW


@pytest.mark.parametrize(("signature", "begins"), _GOES_ON)
def test_what_begins_anew_for_a_flag_that_nobody_gives_goes_on(signature: str, begins: str) -> None:
    assert sureness(signature, begins) == Confidence.HIGH
    assert sureness(signature, begins, "x = self.act(x)") == Confidence.HIGH


@pytest.mark.parametrize("after", ["net(x, reset=first)", "net(x, **{'reset': True})"])
def test_whether_it_goes_on_is_open_where_somebody_gives_the_flag(after: str) -> None:
    assert sureness("reset=False", "if reset:", after=after) is None
    assert sureness("reset=True", "if reset:", "x = self.act(x)", after="net(x, reset=False)") == Confidence.HIGH


def test_a_flag_without_a_default_may_be_anything() -> None:
    assert sureness("reset", "if reset:") is None
