"""Numbers of objects that each call moves on."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tau = 1.0
        self.step = 0
        self.stats = {{"weight": 1.0}}

    def helper(self):
        self.tau *= 0.9

    def forward(self, x, i: int, f: float):
        {body}
"""
READ = "-and-read"


def constructs(body: str) -> list[str]:
    code = NET.format(body=body.replace("\n", "\n        "))
    return [event.construct for event in events(code, "Net.forward", "attribute-write")]


@pytest.mark.parametrize(
    "body",
    [
        "self.tau *= 0.9",
        "self.tau /= 2",
        "self.tau = self.tau / 2",
        "self.tau = 0.9 * self.tau + 0.1 * f",
        "self.tau = max(self.tau - 0.1, 0.1)",
        "self.tau = -abs(round(self.tau * 0.9, 3))",
        "self.tau = math.exp(-self.tau)",
        "self.tau = self.tau * 0.9 if self.training else self.tau",
        "self.tau, y = self.tau * 0.9, x",
        "self.tau: float = self.tau * 0.9",
        "tau = self.tau * 0.9\nself.tau = tau",
        "tau = self.tau\nself.tau = tau * 0.9",
        "tau, y = self.tau, x\ntau += f\nself.tau = tau",
        "a = self.tau + f\nb = a / 2\nself.tau = b",
    ],
)
def test_a_float_is_moved_on(body: str) -> None:
    assert constructs(body) == ["augmented"]


@pytest.mark.parametrize(
    "body",
    [
        "step = self.step + i\nself.step = step",
        "step = self.step\nstep += 1\nself.step = step",
        "self.step = int(self.step + 1)",
    ],
)
def test_an_int_is_moved_on(body: str) -> None:
    """Dynamo 2.13.0 compiles `step = self.step + 1`, `self.step = step` in each of ten calls."""
    assert constructs(body) == ["augmented"]


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("it is what it was", "tau = self.tau\nself.tau = tau"),
        ("it is the largest so far", "self.tau = max(self.tau, f)"),
        ("it is made of another", "self.tau = f * 0.9"),
        ("it is a constant", "self.tau = 0.5"),
        ("it is set before", "self.tau = 1.0\nself.tau = self.tau * 0.9"),
        ("it begins anew before it has come far", "self.step = self.step + 1 if self.step < 4 else 0"),
        ("an int comes to its limit soon", "self.step = min(self.step + 1, 4)"),
        ("it catches up with a size", "n = self.step\nwhile n < i:\n    n *= 2\nself.step = n"),
        ("the remainder is one of a few", "self.step = (self.step + 1) % 4"),
    ],
)
def test_a_number_is_not_moved_on(why: str, body: str) -> None:
    assert set(constructs(body)) == {"assign"}


@pytest.mark.parametrize(
    "body",
    [
        "self.tau *= 0.9\nreturn x * self.tau",
        "y = x * self.tau\nself.tau *= 0.9",
        "tau = self.tau * 0.9\ny = x * tau\nself.tau = tau",
        "old = self.tau\nself.tau = old * 0.9\nreturn x * old",
        "self.helper()",
    ],
)
def test_a_float_is_used_besides(body: str) -> None:
    """With Inductor this is compiled anew on torch 2.15.0 and not on 2.13.0. Of a helper its caller may use it."""
    assert constructs(body) == [f"augmented{READ}"]


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("self.stats['weight'] *= 0.9", "item-augmented"),
        ("self.stats['weight'] *= 0.9\nreturn x * self.stats['weight']", f"item-augmented{READ}"),
    ],
)
def test_a_float_in_a_container(body: str, construct: str) -> None:
    assert constructs(body) == [construct]
