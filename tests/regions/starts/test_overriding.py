"""Classes that fill in what an inherited `forward` calls."""

from __future__ import annotations

import pytest

from compilelint.inspect.inspector import Inspector
from compilelint.inspect.knowledge import Knowledge
from compilelint.regions import offered_roots
from tests.source.make import tree

BASE = """
import torch
from torch import nn

class Base(nn.Module):
    def forward(self, x):
        return self.step(x)
    def step(self, x):
        return self.metric(x) + self.scale
    def metric(self, x):
        raise NotImplementedError
    def load(self, path):
        return self.read(path)
"""


def roots(body: str, base: str = BASE) -> list[str]:
    """The classes of a file whose `forward` is a root, where `Filled` inherits that of another file."""
    code = f"from base import Base\n\nclass Filled(Base):\n    {body}\n"
    found = Inspector(Knowledge(tree({"base.py": base, "model.py": code})), lambda *_: False)
    return [root.label.split(" ")[-1] for root in offered_roots(found, "model.py")]


@pytest.mark.parametrize("name", ["step", "metric"])
def test_what_forward_calls_itself_or_through_others(name: str) -> None:
    assert roots(f"def {name}(self, x): return x") == ["Filled.forward"]


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "def __init__(self): super().__init__()",
        "def other(self, x): return x",
        "def read(self, path): return path",
        "def scale(self): return 2",
    ],
)
def test_what_forward_does_not_call(body: str) -> None:
    assert roots(body) == []


CHOOSES = """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Base(nn.Module):
    def __init__(self, fast):
        super().__init__()
        self.method = self.fast if fast else self.slow
        self.size = self.count
        self.way = "slow"
    def forward(self, x):
        step = getattr(self, f"{self.way}_step")
        return step(checkpoint(self.block, self.method(x), self.size))
    def fast(self, x):
        return self.metric(x)
    def slow(self, x):
        return x
    def block(self, x, size):
        return x
    def long_step(self, x):
        return self.last(x)
"""


@pytest.mark.parametrize(
    ("name", "expected"), [("fast", True), ("metric", True), ("block", True), ("long_step", True), ("way", False)]
)
def test_what_forward_calls_by_an_attribute_or_by_a_made_up_name_or_hands_on(name: str, expected: bool) -> None:
    assert bool(roots(f"def {name}(self, x): return x", CHOOSES)) == expected


def test_functions_that_call_each_other() -> None:
    assert roots("def metric(self, x): return self.step(x)\n    def more(self): return self.more()") == [
        "Filled.forward"
    ]


MAKES = """
import torch
from torch import nn

class Base(nn.Module):
    act = nn.ReLU
    def __init__(self, n):
        super().__init__()
        self.rnn = self._cell(n, n, self.norm)
        self.size = self.width
        self.head = self.make_head(n)
        self.apply(self.start)
        self.check(n)
    def forward(self, x):
        return self.rnn(x)
"""


@pytest.mark.parametrize("name", ["_cell", "norm"])
def test_a_class_of_which_the_inherited_init_makes_a_layer(name: str) -> None:
    assert roots(f"{name} = nn.LSTM", MAKES) == ["Filled.forward"]


def test_a_method_that_the_inherited_init_asks_for_a_layer() -> None:
    assert roots("def make_head(self, n): return nn.LSTM(n, n)", MAKES) == ["Filled.forward"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it only starts weights", "def start(self, layer): pass"),
        ("it gives nothing that is kept", "def check(self, n): pass"),
        ("it makes nothing of it", "act = nn.GELU"),
        ("it only reads it", "width = nn.LSTM"),
        ("no class, a number", "norm = 3"),
        ("a declaration gives nothing", "_cell: nn.Module"),
        ("its own __init__ is another one", "_cell = nn.LSTM\n    def __init__(self): super().__init__(3)"),
    ],
)
def test_what_a_class_names_but_the_inherited_init_makes_no_layer_of(why: str, body: str) -> None:
    assert roots(body, MAKES) == []
