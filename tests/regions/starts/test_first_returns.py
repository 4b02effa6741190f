"""Where the first call of what is compiled returns before it has computed anything.

Of each sort of state (a memory, a window, no value before, a flag, steps) Dynamo 2.13 was seen never to compile it.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from compilelint.inspect.events import Mode
from compilelint.regions import named_roots
from compilelint.regions.starts.first_returns import first_returns
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

HIGH, MEDIUM = Confidence.HIGH, Confidence.MEDIUM
NET = """
from collections import deque

ENOUGH = 4

class Memory:
    def __init__(self):
        self.rows = []
    def __len__(self):
        return len(self.rows)

class Net(nn.Module):
    def __init__(self, every=4, limit=None):
        super().__init__()
        self.rows = []
        self.frames = deque(maxlen=3)
        self.memory = Memory()
        self.last = None
        self.ready = False
        self.step = 0
        self.every = every
        self.given = limit
        self.filled = []
        self.full = [1]

    def fill(self, x):
        self.filled = [x]

    def forward(self, x, early=None):
        {body}
        return x * 2
"""


def returning(body: str, fullgraph: bool = False) -> list[tuple[str, Confidence]]:
    """The condition by which the first call of `Net.forward` returns."""
    found = inspector(NET.format(body=body.replace("\n", "\n        ")))
    (root,) = named_roots(found, ["example.py::Net.forward"])
    events = first_returns(found, replace(root, mode=Mode(fullgraph=fullgraph)))
    return [(event.source, event.confidence) for event in events]


@pytest.mark.parametrize(
    ("body", "test", "sure"),
    [
        ("if len(self.rows) < 3:\n    return x", "len(self.rows) < 3", MEDIUM),
        ("self.frames.append(x)\nif len(self.frames) < 3:\n    return None", "len(self.frames) < 3", HIGH),
        ("if len(self.memory) <= ENOUGH:\n    return", "len(self.memory) <= ENOUGH", MEDIUM),
        ("if self.last is None:\n    self.last = x\n    return x", "self.last is None", HIGH),
        ("if not self.ready:\n    self.ready = True\n    return x, None", "not self.ready", HIGH),
        ("if self.ready == False:\n    return x", "self.ready == False", HIGH),
        ("self.step += 1\nif self.step < ENOUGH:\n    return x", "self.step < ENOUGH", MEDIUM),
        ("self.step += 1\nif self.step % 4 != 0:\n    return x", "self.step % 4 != 0", HIGH),
        ("self.step += 1\nif self.step % self.every != 0:\n    return x", "self.step % self.every != 0", MEDIUM),
        ("n = len(self.rows)\nif n == 0:\n    return x", "n == 0", MEDIUM),
        ("if early is None and not self.rows:\n    return x", "", None),
        ("if early is None or not self.rows:\n    return x", "early is None or not self.rows", MEDIUM),
        ("if not self.rows:\n    return x\nelse:\n    x = x + 1", "not self.rows", MEDIUM),
        ("if not self.filled:\n    return x", "not self.filled", MEDIUM),
        ('"""Doc."""\nif early:\n    return x\nif not self.rows:\n    return x', "not self.rows", MEDIUM),
    ],
)
def test_the_first_call_returns(body: str, test: str, sure: Confidence | None) -> None:
    assert returning(body) == ([(test, sure)] if sure is not None else [])


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("something is computed before", "x = x + 1\nif not self.rows:\n    return x"),
        ("what it returns is computed", "if not self.rows:\n    return x + 1"),
        ("what it stores is computed", "if self.last is None:\n    self.last = x.detach()\n    return x"),
        ("the first call goes on", "if self.last is not None:\n    return x"),
        ("enough is there", "self.rows.append(x)\nif len(self.rows) < 1:\n    return x"),
        ("it is full from the start", "if len(self.full) < 1:\n    return x"),
        ("the caller decides", "if early is None:\n    return x"),
        ("an option decides", "if self.given is None:\n    return x"),
        ("the mode decides", "if not self.training:\n    return x"),
        ("the size decides", "if x.shape[0] < 3:\n    return x"),
        ("another step", "if self.step % 4 != 0:\n    return x"),
        ("a condition computes", "if x.sum() > 3:\n    return x\nif not self.rows:\n    return x"),
        ("another way comes before", "if early:\n    return x\nelse:\n    x = x + 1\nif not self.rows:\n    return x"),
        ("it does not return", "if not self.rows:\n    pass"),
        ("the other way is taken", "if self.rows:\n    pass\nelse:\n    return x"),
    ],
)
def test_the_first_call_may_work(why: str, body: str) -> None:
    assert returning(body) == [], why


def test_with_fullgraph_an_empty_graph_is_kept() -> None:
    assert returning("if not self.rows:\n    return x", fullgraph=True) == []
