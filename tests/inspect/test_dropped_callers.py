"""What runs for syntax that is no call: a break in it drops who asks for it, and is told so where that stands."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

OBJECT = """
class Value:
    @property
    def half(self):
        print(1)
    def __add__(self, other):
        print(1)
    def __radd__(self, other):
        print(1)
    def __bool__(self):
        print(1)
    def __iter__(self):
        print(1)
    def __enter__(self):
        print(1)
    def __getitem__(self, key):
        print(1)
    def __len__(self):
        print(1)
    def __eq__(self, other):
        print(1)
    def __call__(self):
        print(1)
    def __exit__(self, *error):
        pass
    def method(self):
        print(1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = Value()
    def forward(self, x):
        {}
"""


def steps(statement: str) -> list[str]:
    """How what prints is reached from `forward`."""
    found = events(OBJECT.format(statement), "Net.forward", "call")
    return [event.place.reached_from[-2] for event in found if event.callee == "builtins.print"]


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("self.value.half", "as an attribute is read"),
        ("self.value + 1", "as an operator is computed"),
        ("y = 1 + self.value", "as an operator is computed"),
        ("if self.value: pass", "as an object is asked whether it is true"),
        ("y = not self.value", "as an object is asked whether it is true"),
        ("for y in self.value: pass", "as an object is iterated"),
        ("with self.value: pass", "as a context manager is entered and left"),
    ],
)
def test_what_cannot_be_resumed_is_said(statement: str, why: str) -> None:
    assert set(steps(statement)) == {f"Net.forward ({why})"}


@pytest.mark.parametrize(
    "statement", ["self.value.method()", "self.value()", "self.value[0]", "len(self.value)", "self.value == 1"]
)
def test_what_can_is_not(statement: str) -> None:
    assert set(steps(statement)) == {"Net.forward"}
