"""What conditions come to in what is only evaluated."""

from __future__ import annotations

import pytest

from compilelint.inspect.frame import Route
from compilelint.inspect.starting import run_root
from compilelint.regions import compiled_roots
from compilelint.report.confidence import Confidence
from tests.inspect.make import inspector

NET = """
class Net(nn.Module):
    def forward(self, x, options):
        {forward}

net = Net(){evaluate}
torch.compile(net)
"""
EVALUATE = "\nnet.eval()"


def sureness(forward: str, evaluate: str = EVALUATE) -> Confidence:
    code = NET.format(forward=forward.replace("\n", "\n        "), evaluate=evaluate)
    found = inspector(code)
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,), root.mode))
    (event,) = (event for event in found.events if event.callee == "builtins.print")
    return event.confidence


@pytest.mark.parametrize(
    "forward",
    [
        "if self.training:\n    print(1)",
        "if self.training and options:\n    print(1)",
        "if not self.training:\n    pass\nelse:\n    print(1)",
        "if not self.training:\n    return x\nprint(1)",
        "if not self.training or options:\n    return x\nprint(1)",
        "y = print(1) if self.training else x",
    ],
)
def test_what_is_for_training_is_of_low_confidence(forward: str) -> None:
    assert sureness(forward) == Confidence.LOW
    assert sureness(forward, "") == Confidence.HIGH


@pytest.mark.parametrize(
    ("why", "forward"),
    [
        ("for evaluation", "if not self.training:\n    print(1)"),
        ("one of two", "if self.training or options:\n    print(1)"),
        ("no mode of a module", "if options.training:\n    print(1)"),
        ("after both", "if self.training:\n    x = x + 1\nprint(1)"),
    ],
)
def test_what_is_not_for_training_alone_stays_as_it_is(why: str, forward: str) -> None:
    assert sureness(forward) == Confidence.HIGH, why


HANDED = """
def say(x, p, training=True):
    if p and not training:
        return x
    if training:
        print(1)
    return x

class Net(nn.Module):
    def forward(self, x, options):
        return say(x, options, {mode})

net = Net()
net.eval()
torch.compile(net)
"""


@pytest.mark.parametrize(
    ("why", "mode", "sure"),
    [
        ("the mode of a module", "self.training", Confidence.LOW),
        ("by its name", "training=self.training", Confidence.LOW),
        ("of something else", "options.training", Confidence.HIGH),
        ("another flag", "self.flag", Confidence.HIGH),
    ],
)
def test_a_mode_that_is_handed_on_is_that_of_the_module(why: str, mode: str, sure: Confidence) -> None:
    found = inspector(HANDED.format(mode=mode))
    (root,) = compiled_roots(found, "example.py")
    run_root(found, root.function, Route((root.label,), root.mode))
    (event,) = (event for event in found.events if event.callee == "builtins.print")
    assert event.confidence == sure, why
