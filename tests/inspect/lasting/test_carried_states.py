"""State that one call leaves for the next. The positive forms are an example of CL520."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events

NET = """
def exists(value):
    return value is not None

def missing(value):
    return value is None

def is_long(value):
    return len(value) > 4

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None
        self.other = None
        self.enabled = True

    def reset(self):
        {reset}

    def forward(self, x, mask=None):
        {body}
        return x

    {method}
"""
ASKS = "if self.last is not None:\n    x = x + self.last\n"


def carries(body: str, method: str = "pass", reset: str = "self.last = None") -> list[Confidence]:
    code = NET.format(body=body.replace("\n", "\n        "), method=method, reset=reset)
    found = events(code, "Net.forward", "attribute-write")
    return [event.confidence for event in found if event.construct == "carry"]


@pytest.mark.parametrize(
    "body",
    [
        f"{ASKS}self.last = x * 2",
        f"{ASKS}self.last = x.detach()",
        "x = x if self.last is None else x - self.last\nself.last = x",
        "last = self.last if self.last is not None else torch.zeros_like(x)\nself.last = last + x",
        "if self.enabled and self.last is not None:\n    x = x + self.last\nself.last = x * 2",
        "if exists(self.last):\n    x = x + self.last\nself.last = x * 2",
        "if exists(self.last) and self.last.shape[0] > 2:\n    return x + self.last\nself.last = x * 2",
        "x = x if missing(self.last) else x - self.last\nself.last = x",
        f"{ASKS}self.register_buffer('last', x * 2, persistent=False)",
        "self.last = x * 2 if self.last is None else self.last + x",
        "self.last = self.last + x if self.last is not None else x * 2",
        "y = x * 2\nself.last = (\n    y if self.last is None\n    else self.last + y\n)",
        "self.last = x * 2 if missing(self.last) else self.last + x",
    ],
)
def test_the_next_call_finds_what_this_one_has_asked_for(body: str) -> None:
    assert carries(body) == [Confidence.HIGH]


def test_what_is_left_under_another_condition_may_never_be() -> None:
    assert carries(f"{ASKS}if mask is None:\n    self.last = x * 2") == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("nobody asks whether it is there", "x = x + 1\nself.last = x"),
        ("the call has given it before it asks", f"self.last = mask\n{ASKS}self.last = x * 2"),
        (
            "asked only behind another question",
            "if x.shape[0] == 3 and self.last is not None:\n    x = x + 1\nself.last = x",
        ),
        ("filled where it is asked for", "if self.last is None:\n    self.last = x + 1\nself.last = self.last.to(x)"),
        ("asked for after it was given", f"self.last = x * 2\n{ASKS}"),
        ("another attribute", f"{ASKS}self.other = x * 2"),
        ("a buffer of another name", f"{ASKS}self.register_buffer('other', x * 2)"),
        ("a buffer that stays missing", f"{ASKS}self.register_buffer('last', None)"),
        ("a function that asks something else", "if is_long(self.last):\n    x = x + 1\nself.last = x"),
        ("a function that nobody knows", "if unknown(self.last):\n    x = x + 1\nself.last = x"),
        ("it may stay missing", f"{ASKS}self.last = mask"),
        ("it stays missing", f"{ASKS}self.last = None"),
        ("it is missing again at the end", f"{ASKS}self.last = x * 2\nx = x + self.last\nself.last = None"),
        ("each call begins anew", f"self.reset()\n{ASKS}self.last = x * 2"),
        ("only where it is there", "if self.last is not None:\n    self.last = self.last + x"),
        ("of an object of the call", "net = Net()\nif net.last is not None:\n    x = x + 1\nnet.last = x"),
        ("not while compiling", f"{ASKS}if not torch.compiler.is_compiling():\n    self.last = x"),
    ],
)
def test_nothing_is_carried(why: str, body: str) -> None:
    assert carries(body) == [], why


@pytest.mark.parametrize(
    ("why", "method", "reset"),
    [
        ("another method gives it a value", "def setup(self):\n        self.last = torch.zeros(4)", "pass"),
        (
            "another method begins anew",
            "def run(self, x):\n        self.reset()\n        return self(x)",
            "self.last = None",
        ),
    ],
)
def test_what_other_methods_do_leaves_it_open(why: str, method: str, reset: str) -> None:
    assert carries(f"{ASKS}self.last = x * 2", method, reset) == [], why


@pytest.mark.parametrize(
    "body",
    [
        "self.last = None\nself.last = x * 2 if self.last is None else self.last + x",  # begun in this call
        "self.last = mask if self.last is None else self.last",  # may be None still
        "self.last = x if self.other is None else x * 2",  # asks for another one
    ],
)
def test_a_choice_that_leaves_nothing_new_for_the_next_call_carries_nothing(body: str) -> None:
    assert carries(body) == []
