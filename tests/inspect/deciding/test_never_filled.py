"""Attributes that stay None, as nobody calls the method that fills them."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

PART = """
class Dropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = None

    def clear(self):
        self.masks = None

    def begin(self):
        self.masks = []

    def forward(self, x: Tensor):
        if self.masks is not None:
            x.item()
        return x
"""
MODEL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = Dropout()

    def forward(self, x: Tensor):
        return self.dropout(x)
"""


def confidence_of(code: str, **others: str) -> Confidence:
    """How sure the break is that stands where the attribute is there."""
    (event,) = (each for each in events(code, "Dropout.forward", "call", **others) if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize("test", ["self.masks is not None", "self.masks", "self.masks is not None and x.ndim > 1"])
def test_what_nobody_fills_is_hardly_there(test: str) -> None:
    assert confidence_of(PART.replace("self.masks is not None", test) + MODEL) == Confidence.LOW


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("who uses the model calls it: nothing makes it a part", PART),
        ("the model calls it", PART + MODEL + "\n    def start(self):\n        self.dropout.begin()\n"),
        ("its name is looked up", PART + MODEL + "\n    def start(self):\n        self.run('begin')\n"),
        ("the model fills it", PART + MODEL + "\n    def start(self):\n        self.dropout.masks = []\n"),
        ("the model is filled, too", PART + MODEL + "\n    def start(self):\n        self.masks = []\n"),
        (
            "any name may be set",
            PART + MODEL + "\n    def start(self, name):\n        setattr(self.dropout, name, [])\n",
        ),
        (
            "the call fills it",
            PART.replace("        return x\n", "        self.masks = [x]\n        return x\n") + MODEL,
        ),
        ("it is made filled", PART.replace("self.masks = None", "self.masks = self.default()", 1) + MODEL),
        ("a property fills it", PART.replace("    def begin", "    @property\n    def begin") + MODEL),
    ],
)
def test_what_may_be_filled_is_as_likely_there(why: str, code: str) -> None:
    assert confidence_of(code) == Confidence.HIGH, why


def test_a_file_that_imports_it_may_fill_it() -> None:
    user = "from example import Net\n\ndef run(net: Net):\n    net.dropout.begin()\n"
    assert confidence_of(PART + MODEL, user=user) == Confidence.HIGH
    assert confidence_of(PART + MODEL, user=user.replace(".begin()", ".clear()")) == Confidence.LOW
