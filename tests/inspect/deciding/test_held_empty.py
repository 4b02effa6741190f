"""Conditions on containers that `__init__` makes with nothing in them."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(
    test: str, methods: str = "", made: str = "[]", after: str = "", base: str = "nn.Module"
) -> object:
    code = f"""
import lightning
class Net({base}):
    def __init__(self):
        super().__init__()
        self.kept = {made}
{methods}
    def forward(self, x: Tensor):
        if {test}:
            print(x)
        return x

{after}
"""
    found = (each for each in events(code, "Net.forward", "call") if each.callee == "builtins.print")
    return next((each.confidence for each in found), None)


@pytest.mark.parametrize("test", ["self.kept", "len(self.kept) > 0", "self.kept and self.training"])
@pytest.mark.parametrize("made", ["[]", "{}", "list()", "collections.deque(maxlen=3)", "defaultdict(list)"])
def test_what_nothing_fills_is_empty(test: str, made: str) -> None:
    assert confidence_under(test, made=made) in (Confidence.LOW, None)


_PUSH = "    def push(self, x):\n        self.kept.append(x)\n"


def test_what_a_method_fills_that_the_program_never_calls_is_empty() -> None:
    assert confidence_under("len(self.kept) > 0", _PUSH, after="net = Net()") == Confidence.LOW


_OTHER = "class Other:\n    def __init__(self):\n        self.kept = []\n    def push(self, x):\n        {}.append(x)\n"


def test_what_another_class_fills_of_its_own_is_not_this_one() -> None:
    assert confidence_under("len(self.kept) > 0", after=_OTHER.format("self.kept")) == Confidence.LOW
    assert confidence_under("len(self.kept) > 0", after=_OTHER.format("self.net.kept")) == Confidence.HIGH


def test_a_class_that_is_derived_fills_what_it_has_from_this_one() -> None:
    derived = "class More(Net):\n    def push(self, x):\n        self.kept.append(x)\n"
    assert confidence_under("len(self.kept) > 0", after=derived) == Confidence.HIGH


def test_reading_it_fills_nothing() -> None:
    read = "    def mean(self):\n        return torch.stack(self.kept).mean()\n"
    assert confidence_under("len(self.kept) > 0", read) == Confidence.LOW


@pytest.mark.parametrize(
    ("methods", "after"),
    [
        (_PUSH, ""),  # a library's, which others call
        (_PUSH, "net = Net()\nnet.push(3)"),
        (_PUSH, "net = Net()\ngetattr(net, 'push')(3)"),
        ("", "net = Net()\nnet.kept.append(3)"),
        ("", "net = Net()\nnet.kept += [3]"),
        ("", "net = Net()\nnet.kept = [3]"),
        ("", "net = Net()\nfill(net.kept)"),
        ("    def get(self):\n        kept = self.kept\n        return kept\n", ""),
        ("    def get(self):\n        return self.kept\n", ""),
    ],
)
def test_what_may_be_filled_is_as_sure_as_anything(methods: str, after: str) -> None:
    assert confidence_under("len(self.kept) > 0", methods, after=after) == Confidence.HIGH


def test_a_framework_calls_what_nobody_in_the_program_calls() -> None:
    begin = "net = Net()"
    assert confidence_under("self.kept", _PUSH, after=begin, base="lightning.LightningModule") == Confidence.HIGH


def test_what_begins_with_something_in_it_is_not_empty() -> None:
    assert confidence_under("len(self.kept) > 0", made="[1]") == Confidence.HIGH


@pytest.mark.parametrize("iterable", ["self.kept", "self.kept.items()", "enumerate(self.kept)", "list(self.kept)"])
def test_a_loop_through_nothing_does_nothing(iterable: str) -> None:
    assert loop_confidence(iterable) in (Confidence.LOW, None)
    assert loop_confidence(iterable, _PUSH) == Confidence.HIGH


def loop_confidence(iterable: str, methods: str = "") -> Confidence | None:
    code = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {{}}
{methods}
    def forward(self, x: Tensor):
        for each in {iterable}:
            print(each)
        return x
"""
    found = (each for each in events(code, "Net.forward", "call") if each.callee == "builtins.print")
    return next((each.confidence for each in found), None)
