"""Attributes by which `__init__` keeps what torch has, and nobody sets anew."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str, **others: str) -> Confidence:
    code = f"""
class Net(nn.Module):
    def __init__(self, given, some=False):
        super().__init__()
        self.fast = True
        self.hook = None
        self.flash = hasattr(F, "scaled_dot_product_attention")
        self.newest = hasattr(F, "no_such_function")
        self.given = given
        self.count = 0
        self.exports = False
        self.twice = False
        if given:
            self.twice = True
        if some:
            self.maybe = True

    def export(self):
        self.exports = True

    def forward(self, x: Tensor):
        self.count += 1
        if {test}:
            x.item()
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call", **others) if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "not self.flash",
        "self.given and not self.flash",
    ],
)
def test_the_other_way_is_hardly_taken(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW
    assert confidence_under(f"not ({test})") == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("it is given", "self.given"),
        ("it is there to be set", "not self.fast"),
        ("it is there to be set", "self.hook is not None"),
        ("it is counted", "self.count > 3"),
        ("a method sets it", "self.exports"),
        ("it is set twice", "self.twice"),
        ("it is not always set", "self.maybe"),
        ("not every torch has it", "self.newest"),
        ("either will do", "self.given or not self.flash"),
    ],
)
def test_either_way_may_be_taken(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


def test_others_set_it() -> None:
    other = "from example import Net\n\ndef use(net: Net):\n    net.flash = False\n"
    assert confidence_under("not self.flash", other=other) == Confidence.HIGH


def test_an_object_of_another_class_has_its_own() -> None:
    other = "from example import Net\n\nclass Sub(Net):\n    def use(self):\n        self.flash = False\n"
    assert confidence_under("not self.flash", other=other) == Confidence.LOW
