"""Conditions that hold only where somebody outside of the project gives an object an attribute."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str, init: str = "", orelse: str = "", **others: str) -> Confidence:
    """How sure a break is that stands under this condition in a model, or in its other branch."""
    body = f"if {test}:\n    return x\nx.item()" if orelse else f"if {test}:\n    x.item()"
    code = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.there = 1
{indent(init, "        ")}

    def forward(self, x: Tensor):
{indent(body, "        ")}
        return x
"""
    (event,) = (each for each in events(code, "Net.forward", "call", **others) if each.callee.endswith(".item"))
    return event.confidence


@pytest.mark.parametrize(
    "test",
    [
        "hasattr(self, 'hook')",
        "getattr(self, 'debug', False)",
        "getattr(self, 'hook', None)",
        "getattr(self, 'hook', None) is not None",
        "not getattr(self, 'compiles', True)",
        "self.there and hasattr(self, 'hook')",
        "not (not hasattr(self, 'hook') or self.there)",
        "not (getattr(self, 'hook', None) is None)",
    ],
)
def test_what_nobody_sets_is_hardly_there(test: str) -> None:
    assert confidence_under(test) == Confidence.LOW


def test_what_follows_a_return_where_it_is_not_there_hardly_happens() -> None:
    assert confidence_under("not hasattr(self, 'hook')", orelse="falls through") == Confidence.LOW
    assert confidence_under("hasattr(self, 'hook')", orelse="falls through") == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "test"),
    [
        ("it is set", "hasattr(self, 'there')"),
        ("it is asked of something else", "hasattr(self.there, 'hook')"),
        ("a module has it", "hasattr(self, 'register_buffer')"),
        ("either will do", "self.there or hasattr(self, 'hook')"),
        ("it holds where it is not there", "not hasattr(self, 'hook')"),
        ("it holds where it is not there", "getattr(self, 'hook', None) is None"),
        ("it holds where it is not there", "getattr(self, 'compiles', True)"),
        ("it is compared with something else", "getattr(self, 'level', 0) > 2"),
        ("its name is computed", "getattr(self, self.there, False)"),
    ],
)
def test_what_may_well_be_there(why: str, test: str) -> None:
    assert confidence_under(test) == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "other"),
    [
        ("a file that imports it sets it", "from example import Net\n\ndef use(net: Net):\n    net.hook = print\n"),
        ("a subclass has it", "from example import Net\n\nclass Sub(Net):\n    hook = True\n"),
        ("a file that imports it may set any", "from example import Net\n\ndef use(net, n):\n    setattr(net, n, 1)\n"),
    ],
)
def test_others_give_it(why: str, other: str) -> None:
    assert confidence_under("hasattr(self, 'hook')", other=other) == Confidence.HIGH


def test_an_init_gives_it() -> None:
    assert confidence_under("hasattr(self, 'hook')", "if self.there:\n    self.hook = 1") == Confidence.HIGH
