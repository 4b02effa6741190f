"""What runs when an attribute is assigned."""

from __future__ import annotations

import pytest

from tests.inspect.make import callees

CLASSES = """
class Noisy:
    def __init__(self, x):
        self._value = x

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        print(new)

    @value.deleter
    def value(self):
        input()

    @property
    def fixed(self):
        return 3

class Inherits(Noisy):
    pass

class Keeps:
    def __setattr__(self, name, value):
        print(value)

class Unknown(what):
    def __setattr__(self, name, value):
        print(value)

class Print:
    def __set__(self, owner, value):
        print(value)

class Described:
    field = Print()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self._scale = 1

    def __setattr__(self, name, value):
        breakpoint()

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        print(value)

    def forward(self, x):
        self.scale = x
        return x
"""


@pytest.mark.parametrize(
    "assigned",
    [
        "Noisy(x).value = x",
        "Inherits(x).value = x",
        "Noisy(x).value += x",
        "what, Noisy(x).value = 1, x",
        "Keeps().other = x",
        "Described().field = x",
    ],
)
def test_what_is_run_for_it_is_walked(assigned: str) -> None:
    called = callees(f"{CLASSES}\ndef f(x: Tensor):\n    {assigned}")
    assert "builtins.print" in called
    assert "builtins.input" not in called


def test_the_setters_of_a_module_are_its_own_and_what_sets_its_layers_is_torchs() -> None:
    called = callees(CLASSES, "Net.forward")
    assert "builtins.print" in called
    assert "builtins.breakpoint" not in called


@pytest.mark.parametrize(
    ("why", "assigned"),
    [
        ("it is another attribute", "Noisy(x).other = x"),
        ("it has no setter", "Noisy(x).fixed = x"),
        ("its class may be a module", "Unknown().other = x"),
        ("it is only read", "Noisy(x).value"),
        ("it is nobody's of the project", "what.value = x"),
    ],
)
def test_nothing_is_run(why: str, assigned: str) -> None:
    assert "builtins.print" not in callees(f"{CLASSES}\ndef f(x: Tensor, what):\n    {assigned}"), why
