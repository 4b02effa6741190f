"""Attributes that `__init__` chooses by a flag, under a condition that asks for the flag."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self, config, deep, text):
        super().__init__()
        self.deep = {flag}
        if {test}:
            self.body = nn.LSTM(3, 3)
        else:
            self.body = nn.Linear(3, 3)

    def forward(self, x):
        {body}

    def other(self):
        {other}
"""


def called(body: str, flag: str = "deep", test: str = "deep", other: str = "pass") -> list[str]:
    """Which layers `self.body(x)` may be, in order."""
    code = NET.format(flag=flag, test=test, body=body.replace("\n", "\n        "), other=other)
    layers = ("torch.nn.LSTM.forward", "torch.nn.Linear.forward")
    return [event.callee.split(".")[2] for event in events(code, "Net.forward", "call") if event.callee in layers]


BOTH = ["LSTM", "Linear"]
ASKED = "if self.deep:\n    self.body(x)\nelse:\n    return 3"


@pytest.mark.parametrize(
    ("flag", "test"),
    [
        ("deep", "deep"),
        ("deep", "self.deep"),
        ("config.deep", "config.deep"),
        ("config.deep", "self.deep"),
        ("deep", "deep is True"),
    ],
)
def test_under_the_flag_it_is_the_one(flag: str, test: str) -> None:
    assert called(ASKED, flag, test) == ["LSTM"]
    assert called(ASKED.replace("self.deep", "not self.deep"), flag, test) == ["Linear"]


def test_a_text_is_asked_for() -> None:
    asked = "if self.deep == 'lstm':\n    self.body(x)"
    assert called(asked, "text", "text == 'lstm'") == ["LSTM"]
    assert called(asked, "text", "text == 'gru'") == BOTH


@pytest.mark.parametrize(
    ("why", "body", "flag", "test", "other"),
    [
        ("not asked", "self.body(x)", "deep", "deep", "pass"),
        ("another flag", ASKED, "config.flat", "deep", "pass"),
        ("set by another method", ASKED, "deep", "deep", "self.deep = True"),
        ("made anew by another method", ASKED, "deep", "deep", "self.body = nn.Linear(2, 2)"),
        ("more is asked for", ASKED, "deep", "deep and config.flat", "pass"),
        ("set in the call", f"self.deep = len(x) > 3\n{ASKED}", "deep", "deep", "pass"),
    ],
)
def test_it_may_be_either(why: str, body: str, flag: str, test: str, other: str) -> None:
    assert sorted(called(body, flag, test, other)) == BOTH
