"""Functions that ask whether something is None."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
{function}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None

    @property
    def kept(self):
        'What is kept.'
        return self.cache

    @property
    def other(self):
        return self.weight

    @property
    def doubled(self):
        return self.cache * 2

    def method(self):
        return self.cache

    def forward(self, x):
        if {test}:
            self.cache = x + 1
        return x
"""
EXISTS = "def exists(value):\n    return value is not None"


def fills(test: str, function: str = EXISTS) -> list[Confidence]:
    found = events(NET.format(function=function, test=test), "Net.forward", "attribute-write")
    return [event.confidence for event in found if event.construct == "fill"]


@pytest.mark.parametrize(
    ("test", "function"),
    [
        ("not exists(self.cache)", EXISTS),
        ("missing(self.cache)", "def missing(value):\n    return value is None"),
        ("not exists(self.cache) and x.dim() > 2", EXISTS),
    ],
)
def test_a_function_asks_whether_something_is_none(test: str, function: str) -> None:
    assert fills(test, function) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "test", "function"),
    [
        ("it asks of something else", "not exists(self.cache)", "def exists(value):\n    return OTHER is not None"),
        ("it asks for more", "not exists(self.cache)", "def exists(value):\n    return value is not None and value.ok"),
        ("it asks for a number", "not exists(self.cache)", "def exists(value):\n    return value is not 0"),
        ("it does more", "not exists(self.cache)", "def exists(value):\n    log(value)\n    return value is not None"),
        ("it is decorated", "not exists(self.cache)", "@swap\ndef exists(value):\n    return value is not None"),
        ("nobody knows it", "not exists(self.cache)", "from elsewhere import exists"),
        ("what it asks of was computed", "not exists(self.cache.get())", EXISTS),
    ],
)
def test_a_call_stands_for_itself(why: str, test: str, function: str) -> None:
    assert fills(test, function) == [], why


@pytest.mark.parametrize("test", ["self.kept is None", "not exists(self.kept)", "self.kept is None and x.dim() > 2"])
def test_a_property_stands_for_the_attribute_that_it_gives(test: str) -> None:
    assert fills(test) == [Confidence.HIGH]


@pytest.mark.parametrize(
    "test", ["self.other is None", "self.doubled is None", "self.method is None", "self.kept is not None"]
)
def test_a_property_that_does_more_or_gives_another_does_not(test: str) -> None:
    assert fills(test) == []
