"""What runs once, because it turns the flag off under which it stands."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.new = {initial}
        self.sizes = []
        self.enabled = True

    def make(self, x):
        self.sizes.append(x.shape[0])

    def forward(self, x, flag=None):
        {body}
        return x

    {method}
"""


def writes(construct: str, body: str, initial: str = "True", method: str = "pass") -> list[Confidence]:
    code = NET.format(initial=initial, body=body.replace("\n", "\n        "), method=method)
    found = events(code, "Net.forward", "attribute-write")
    return [event.confidence for event in found if event.construct == construct]


@pytest.mark.parametrize(
    "body",
    [
        "if self.new:\n    self.new = False\n    self.sizes.append(1)",
        "if self.new:\n    self.make(x)\n    self.new = False",
        "if self.enabled and self.new:\n    self.make(x)\n    self.new = False",
        "if not self.made:\n    for i in range(2):\n        self.make(x)\n    self.made = True",
        "if self.new == True:\n    self.make(x)\n    self.new = False",
        "if self.made is not True:\n    self.make(x)\n    self.made = True",
    ],
)
def test_what_grows_until_a_flag_is_turned_off_grows_once(body: str) -> None:
    assert set(writes("append", body)) == {Confidence.LOW}


@pytest.mark.parametrize(
    "change", ["self.new += x.dim()", "self.new = x.dim() + self.new", "self.new = self.new + len(x.shape)"]
)
def test_a_dimension_is_counted_from_the_front_once(change: str) -> None:
    assert set(writes("assign", f"if self.new < 0:\n    {change}", "-1")) | set(
        writes("augmented", f"if self.new < 0:\n    {change}", "-1")
    ) == {Confidence.LOW}


@pytest.mark.parametrize("body", ["if self.new < 0:\n    self.new -= 1", "if self.new < 9:\n    self.new += 1"])
def test_what_may_be_counted_again_is_counted_in_each_call(body: str) -> None:
    assert writes("augmented", body, "-1") == [Confidence.HIGH]


def test_a_method_may_turn_the_flag_off() -> None:
    method = "def make_once(self, x):\n        self.make(x)\n        self.new = False"
    assert writes("append", "if self.new:\n    self.make_once(x)", method=method) == [Confidence.LOW]
    assert writes("append", "if not self.new:\n    self.make_once(x)", method=method) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("the flag stays on", "if self.new:\n    self.make(x)"),
        ("it is turned on, not off", "if self.new:\n    self.make(x)\n    self.new = True"),
        ("another flag", "if self.enabled:\n    self.make(x)\n    self.new = False"),
        ("one condition of two is enough", "if self.enabled or self.new:\n    self.make(x)\n    self.new = False"),
        ("the other way", "if self.new:\n    self.new = False\nelse:\n    self.make(x)"),
        ("after it", "if self.new:\n    self.new = False\nself.make(x)"),
        ("a name that each call makes anew", "if flag:\n    self.make(x)\n    flag = False"),
    ],
)
def test_what_grows_in_other_calls_too_grows_in_each(why: str, body: str) -> None:
    assert writes("append", body) == [Confidence.HIGH], why


def test_what_is_reached_both_ways_grows_in_each_call() -> None:
    body = "if self.new:\n    self.make(x)\n    self.new = False\nself.make(x)"
    assert Confidence.HIGH in writes("append", body)


def test_turning_the_flag_off_is_what_the_first_call_does() -> None:
    body = "if self.new:\n    self.make(x)\n    self.new = False"
    assert writes("fill", body) == [Confidence.HIGH]
    assert writes("fill", body, initial="False") == [Confidence.LOW]
    assert writes("fill", body, initial="torch.is_grad_enabled()") == [Confidence.LOW]
    assert writes("fill", body, method="def load(self):\n        self.new = False") == [Confidence.LOW]
    assert writes("fill", body, method="def reset(self):\n        self.new = True") == [Confidence.HIGH]


@pytest.mark.parametrize("test", ["self.new == True", "self.new is True", "self.new != False", "flag and self.new"])
def test_a_flag_may_be_compared_with_what_it_is(test: str) -> None:
    assert writes("fill", f"if {test}:\n    self.new = False") == [Confidence.HIGH]


PREPARE = "def prepare(self, x):\n        self.new = False\n        self.sizes.append(x.shape[0])"


@pytest.mark.parametrize("test", ["self.new", "self.new and self.training", "self.new == True"])
def test_a_method_that_turns_the_flag_off_is_called_in_the_first_call_only(test: str) -> None:
    assert writes("fill", f"if {test}:\n    self.prepare(x)", method=PREPARE) == [Confidence.HIGH]


@pytest.mark.parametrize(
    "method",
    [
        f"{PREPARE}\n\n    def setup(self, x):\n        self.prepare(x)",
        f"{PREPARE}\n\n    def load(self):\n        self.new = False",
    ],
)
def test_the_flag_may_have_been_turned_off_before(method: str) -> None:
    assert writes("fill", "if self.new:\n    self.prepare(x)", method=method) == [Confidence.LOW]


@pytest.mark.parametrize(
    ("why", "body", "method"),
    [
        ("under no condition", "self.prepare(x)", PREPARE),
        ("on the other way", "if self.new:\n    pass\nelse:\n    self.prepare(x)", PREPARE),
        ("it turns nothing off", "if self.new:\n    self.make(x)", PREPARE),
        ("it turns it on again", "if self.new:\n    self.prepare(x)", f"{PREPARE}\n        self.new = True"),
        ("another flag", "if self.enabled:\n    self.prepare(x)", PREPARE),
    ],
)
def test_a_call_turns_no_flag_off(why: str, body: str, method: str) -> None:
    assert writes("fill", body, method=method) == [], why


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("under no condition", "self.new = False"),
        ("compared with what it becomes", "if self.new == False:\n    self.new = False"),
        ("where it is off already", "if not self.new:\n    self.new = False"),
        ("on the other way", "if self.new:\n    pass\nelse:\n    self.new = False"),
        ("what is drawn", "if self.new:\n    self.new = x.shape[0] > 3"),
    ],
)
def test_other_flags_are_no_first_call(why: str, body: str) -> None:
    assert writes("fill", body) == [], why
