"""What runs for syntax that is no call: a break in it drops who asks for it, and is told so where that stands."""

from __future__ import annotations

import pytest

from tests.inspect.make import events, inspector, run

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


NEW = """
class Scale:
    def __init__(self, k):
        self.k = k
    @classmethod
    def of(cls, k):
        return cls(k)
    @staticmethod
    def still(x):
        print(1)
        return x
    @classmethod
    def of_class(cls, x):
        print(1)
        return x
    def over(self, x):
        print(1)
        return x
    def __call__(self, x):
        print(1)
        return x
class Layer(nn.Module):
    def over(self, x):
        print(1)
        return x
def made():
    return Scale(2)
def told():
    torch._dynamo.graph_break()
    return Scale(2)
def helper(s, x):
    return s.over(x)
SCALE = Scale(2)
class Net(nn.Module):
    def forward(self, x):
        {}
"""


def ways(*statements: str) -> set[str]:
    walked = inspector(NEW.format("\n        ".join(statements)))
    walked.splits = lambda event: event.callee == "torch._dynamo.graph_break"
    run(walked, "Net.forward")
    return {event.place.reached_from[-2] for event in walked.events if event.callee == "builtins.print"}


@pytest.mark.parametrize(
    "statement",
    [
        "s = Scale(2); s.over(x)",
        "Scale(2).over(x)",
        "s = Scale.of(2); s.over(x)",
        "s = made(); s.over(x)",
        "s = Scale(2); f = s.over; f(x)",
        "s = [Scale(2)]; s[0].over(x)",
        "s = Scale(2); s.still(x)",
        "self.s = Scale(2); self.s.over(x)",
    ],
)
def test_methods_of_objects_that_are_made_there(statement: str) -> None:
    assert ways(statement) == {"Net.forward (in a method of an object that is made in the same function)"}


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("it was there before", "SCALE.over(x)"),
        ("a module is known", "s = Layer(); s.over(x)"),
        ("the object itself is called", "s = Scale(2); s(x)"),
        ("the class is asked", "s = Scale(2); Scale.over(s, x)"),
        ("the class is asked", "Scale.still(x)"),
        ("a class is known", "s = Scale(2); s.of_class(x)"),
        ("it is an input after a break", "s = Scale(2); torch._dynamo.graph_break(); s.over(x)"),
        ("the graph breaks as it is made", "s = told(); s.over(x)"),
    ],
)
def test_methods_that_are_no_reason(why: str, statement: str) -> None:
    assert ways(statement) == {"Net.forward"}, why


def test_the_function_that_is_given_such_an_object_goes_on() -> None:
    assert ways("s = Scale(2); helper(s, x)") == {"helper"}
