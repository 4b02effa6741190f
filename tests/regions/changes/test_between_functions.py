"""Arguments that change where the function around the compiled call is called."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.regions.constructs import constructs_around, events_around

PRELUDE = """
import torch

TABLE = [1.0, 2.0, 3.0, 4.0]

@torch.compile
def scale(x, i):
    return x * TABLE[i]

def one(x, i):
    return scale(x, i)

def outer(x, k):
    return one(x, k)

class Runner:
    def __init__(self):
        self.seen = 0
        self.step = torch.compile(self._step)

    def _step(self, x, i):
        return x * TABLE[i]

    def run(self, x, i):
        return self.step(x, i)

runner = Runner()
x = torch.ones(3)
"""


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(9):\n    one(x, i)",
        "for i in range(9):\n    outer(x, i)",
        "ys = [one(x, i) for i in range(9)]",
        "for i in range(9):\n    one(x, i=i + 1)",
        "for i in range(9):\n    runner.run(x, i)",
        "class Own(Runner):\n    def fit(self):\n        for i in range(9):\n            self.run(x, i)",
    ],
)
def test_a_caller_changes_it(code: str) -> None:
    events = events_around(PRELUDE + code)
    assert [(event.construct, event.confidence) for event in events] == [("int-argument", Confidence.MEDIUM)]


OBJECTS = """
class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = torch.compile(scale)

    def forward(self, x, i):
        return self.part(x, i)

class Plain:
    def __init__(self, step):
        self.step = step

    def __call__(self, x, i):
        return scale(x, i)

net, plain = Whole(), Plain(scale)
"""


@pytest.mark.parametrize("name", ["net", "plain"])
def test_who_calls_an_object_changes_it(name: str) -> None:
    code = f"{PRELUDE}{OBJECTS}for i in range(9):\n    {name}(x, {{}})"
    assert constructs_around(code.format("i")) == ["int-argument"]
    assert constructs_around(code.format("3")) == []


def test_a_file_that_makes_the_object_changes_it() -> None:
    script = "from example import Whole, x\n\nnet = Whole()\nfor i in range(9):\n    net(x, i)\n"
    assert constructs_around(PRELUDE + OBJECTS, script=script) == ["int-argument"]


def test_another_file_changes_it() -> None:
    script = "from example import one, x\n\nfor i in range(9):\n    one(x, i)\n"
    assert constructs_around(PRELUDE, script=script) == ["int-argument"]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("one(x, 1)\none(x, 2)", id="no-loop"),
        pytest.param("for i in range(3):\n    one(x, i)", id="few-values"),
        pytest.param("for i in range(9):\n    one(x, 2)", id="always-the-same"),
        pytest.param(
            "def other(x, i):\n    i = 2\n    return scale(x, i)\nfor i in range(9):\n    other(x, i)", id="set"
        ),
        pytest.param("for i in range(9):\n    two(x, i)", id="another-function"),
    ],
)
def test_no_caller_changes_it(code: str) -> None:
    assert constructs_around(PRELUDE + code) == []


METHOD = """
class Trainer:
    def __init__(self):
        self.count = 0

    def batch(self, x, late):
        {body}
        return scale(x, self.count)
"""


def test_a_function_that_counts_its_calls() -> None:
    code = "count = 0\ndef step(x):\n    global count\n    count += 1\n    return scale(x, count)\n"
    assert constructs_around(PRELUDE + code) == ["int-argument"]


def test_a_function_that_begins_again() -> None:
    counted = "    count += 1\n    y = scale(x, count)\n    count = 0\n    return y\n"
    code = f"count = 0\ndef step(x):\n    global count\n{counted}"
    assert constructs_around(PRELUDE + code) == []


def test_a_method_that_counts_its_calls() -> None:
    assert constructs_around(PRELUDE + METHOD.format(body="self.count += 1")) == ["int-argument"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("x = x + 1", id="it-counts-nothing"),
        pytest.param("if late:\n            self.count += 1", id="it-seldom-counts"),
        pytest.param("self.count += 1\n        if late:\n            self.count = 0", id="it-begins-again"),
        pytest.param("self.count += x", id="it-adds-what-it-is-given"),
    ],
)
def test_a_method_whose_number_stays_or_is_not_known(body: str) -> None:
    assert constructs_around(PRELUDE + METHOD.format(body=body)) == []
