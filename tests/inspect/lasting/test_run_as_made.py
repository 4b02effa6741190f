"""What the first call makes, of modules that make it themselves."""

from __future__ import annotations

from textwrap import indent

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

CODE = """\
import torch
from torch import nn, Tensor

def singleton(name):
    def around(fn):
        def wrapper(self, *args):
            made = getattr(self, name)
            if made is not None:
                return made
            made = fn(self, *args)
            setattr(self, name, made)
            return made
        return wrapper
    return around

class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = None
        self.ready = False
        self.fast = False
    @singleton("made")
    def make(self, x):
        print(x)
    def set_up(self):
        self.ready = True
    def forward(self, x: Tensor):
{forward}

class Learner(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = {made}
        {runs}
    def forward(self, x):
        return self.part(x)
"""
RUNS = "self.forward(torch.randn(2, 3))"
MAKE = "if self.made is None:\n    print(x)\n    self.made = nn.Linear(3, 3)\nreturn self.made(x)"


def sureness(forward: str = MAKE, runs: str = RUNS, made: str = "Part()") -> Confidence:
    code = CODE.format(forward=indent(forward, " " * 8), runs=runs, made=made)
    found = [event for event in events(code, "Part.forward", "call") if event.callee == "builtins.print"]
    return max(event.confidence for event in found)


@pytest.mark.parametrize(
    "forward",
    [
        MAKE,
        "if not hasattr(self, 'made'):\n    print(x)",
        "if not self.ready:\n    print(x)\n    self.set_up()",
        "made = getattr(self, 'made')\nif made is not None:\n    return made\nprint(x)",
        "return self.make(x)",
    ],
)
def test_what_a_module_makes_is_there_once_it_has_run(forward: str) -> None:
    assert sureness(forward) == Confidence.LOW
    assert sureness(forward, runs="pass") == Confidence.HIGH


@pytest.mark.parametrize(
    "runs",
    [
        "self(torch.randn(2, 3))",
        "self.size = self.forward(torch.randn(2, 3)).shape",
        "with torch.no_grad(): self(torch.randn(2, 3))",
    ],
)
def test_a_module_may_call_itself_in_other_ways(runs: str) -> None:
    assert sureness(runs=runs) == Confidence.LOW


@pytest.mark.parametrize(
    ("runs", "made"),
    [
        ("if part: self.forward(torch.randn(2, 3))", "Part()"),
        ("self.reset()", "Part()"),
        ("part.forward(torch.randn(2, 3))", "Part()"),
        (RUNS, "part"),
    ],
)
def test_other_modules_have_their_first_call_before_them(runs: str, made: str) -> None:
    assert sureness(runs=runs, made=made) == Confidence.HIGH


def test_a_flag_that_nothing_turns_on_is_an_option() -> None:
    assert sureness("if not self.fast:\n    print(x)") == Confidence.HIGH


BUILT = """\
import torch
from torch import nn, Tensor

class Part(nn.Module):
    def __init__(self, wanted):
        super().__init__()
        self.table, self.ready, self.stale, self.turned = None, False, True, True
        {init}
    def reset(self):
        self.build()
    def mark(self):
        self.turned = True
    def build(self):
        if {test}:
            print(self)
            self.ready, self.table = True, torch.ones(3)
            self.ready = True
            self.stale = False
            self.turned = False
    def forward(self, x: Tensor):
        self.build()
        return x

class Sub(Part):
    def __init__(self):
        super().__init__(True)
"""


def sureness_of_building(test: str, init: str = "self.build()", root: str = "Part.forward") -> Confidence:
    found = [e for e in events(BUILT.format(init=init, test=test), root, "call") if e.callee == "builtins.print"]
    return max(event.confidence for event in found)


@pytest.mark.parametrize("test", ["not self.ready", "self.stale", "not self.ready or self.table is None"])
@pytest.mark.parametrize("init", ["self.build()", "self.reset()", "self.built = self.build()"])
def test_what_init_calls_has_run_before(test: str, init: str) -> None:
    assert sureness_of_building(test, init) == Confidence.LOW
    assert sureness_of_building(test, "pass") == Confidence.HIGH


@pytest.mark.parametrize(
    "init",
    [
        "if wanted: self.build()",
        "wanted.build()",
        "self.later = lambda: None",
        "self.build",
    ],
)
def test_init_does_not_surely_call_it(init: str) -> None:
    assert sureness_of_building("not self.ready", init) == Confidence.HIGH


@pytest.mark.parametrize(
    ("test", "init"),
    [
        ("self.turned", "self.build()"),
        ("self.stale", "self.build()\n        def hook(m): m.stale = True\n        self.hook = hook"),
    ],
)
def test_the_flag_is_turned_back_by_others(test: str, init: str) -> None:
    assert sureness_of_building(test, init) == Confidence.HIGH


HELD = """\
import torch
from torch import nn, Tensor

class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = None
    def forward(self, x: Tensor):
        if self.made is None:
            print(x)
            self.made = nn.Linear(3, 3)
        return self.made(x)

class Whole(nn.Module):
    def __init__(self, wanted):
        super().__init__()
        self.part = Part()
        {init}
    def forward(self, x):
        return self.part(x)
"""


@pytest.mark.parametrize(
    ("init", "sure"),
    [
        ("self.part(torch.zeros(2, 3))", Confidence.LOW),
        ("with torch.no_grad():\n            n = self.part(torch.zeros(2, 3)).shape[1]", Confidence.LOW),
        ("self.other = Part()\n        self.other(self.part(torch.zeros(2, 3)))", Confidence.LOW),
        ("self.other = Part()\n        self.part(torch.zeros(2, 3))", Confidence.HIGH),
        ("if wanted: self.part(torch.zeros(2, 3))", Confidence.HIGH),
        ("self.part.reset(torch.zeros(2, 3))", Confidence.HIGH),
        ("wanted(self.part)", Confidence.HIGH),
    ],
)
def test_a_part_may_run_as_the_whole_is_made(init: str, sure: Confidence) -> None:
    found = [e for e in events(HELD.format(init=init), "Whole.forward", "call") if e.callee == "builtins.print"]
    assert max(event.confidence for event in found) == sure
