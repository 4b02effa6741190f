"""What runs in the first call only, of a module that is called before it is compiled."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

NET = """
import torch
from torch import nn

class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = None

    def forward(self, x):
        if self.made is None:
            print(x)
            self.made = nn.Linear(3, 3)
        return self.made(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()
        self.parts = nn.ModuleList([Part(), Part()])
        self.ready = False

    def build(self, x):
        print(x)
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.build(x)
        for part in self.parts:
            x = part(x)
        return self.part(x)

class Server:
    def __init__(self, fast):
        self.model = Net()
        self.fast = fast
        self.compiled = None

    def __call__(self, x):
        {}

def main(x, fast):
    net = Net()
    {}
"""


def sureness(main: str = "", method: str = "pass") -> Confidence:
    found = inspector(NET.format(method, main))
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    printed = [event for event in found.events if event.callee == "builtins.print"]
    assert len({event.span for event in printed}) == 2
    return max(event.confidence for event in printed)


@pytest.mark.parametrize(
    "main",
    [
        "net(x)\n    net = torch.compile(net)",
        "with torch.no_grad():\n        y = net(x)\n    net = torch.compile(net)",
        "y = net.forward(x).shape\n    net.compile()",
        "try:\n        net(x)\n    finally:\n        pass\n    fast = torch.compile(net)",
        "if fast:\n        net(x)\n        net = torch.compile(net)",
        "if not net.ready:\n        net(x)\n    net = torch.compile(net)",
    ],
)
def test_what_the_first_call_makes_is_there(main: str) -> None:
    assert sureness(main) is Confidence.LOW


TABLES = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None

    def tables(self, n):
        if self.table is None or self.table.shape[0] < n:
            print(n)
            self.table = torch.ones(n)
        return self.table

    def forward(self, x):
        return self.tables(x.shape[0]) + x

def main(net: Net, fast):
    {}
    torch.compile(net)
"""


@pytest.mark.parametrize(
    ("before", "sure"),
    [
        ("net.tables(8)", Confidence.LOW),
        ("if fast:\n        with torch.no_grad():\n            net.tables(fast)", Confidence.LOW),
        ("net.train()", Confidence.HIGH),
        ("fast.tables(8)", Confidence.HIGH),
        ("net.tables(8)\n    net = Net()", Confidence.HIGH),
    ],
)
def test_what_a_method_makes_that_is_called_before_is_there(before: str, sure: Confidence) -> None:
    found = inspector(TABLES.format(before))
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,)))
    (printed,) = [event for event in found.events if event.callee == "builtins.print"]
    assert printed.confidence is sure


def test_what_the_call_of_another_object_makes_is_there() -> None:
    method = "if not self.model.ready:\n            self.model(x)\n        self.compiled = torch.compile(self.model)"
    assert sureness(method=method) is Confidence.LOW


@pytest.mark.parametrize(
    ("why", "main"),
    [
        ("not called", "net = torch.compile(net)"),
        ("called later", "fast = torch.compile(net)\n    net(x)"),
        ("only under an option", "if fast:\n        net(x)\n    net = torch.compile(net)"),
        ("another one", "other = Net()\n    other(x)\n    net = torch.compile(net)"),
        ("made anew", "net(x)\n    net = Net()\n    net = torch.compile(net)"),
        ("another method", "net.eval()\n    net = torch.compile(net)"),
    ],
)
def test_the_first_call_may_be_the_compiled_one(why: str, main: str) -> None:
    assert sureness(main) is Confidence.HIGH, why
