"""Functions that a class hands to the `__init__` of its base."""

from __future__ import annotations

import pytest

from compilelint.regions import offered_roots
from tests.inspect.make import callees, inspector

NET = """
def at_once(x):
    print(x)

class Base(nn.Module):
    def __init__(self, size, start=None):
        super().__init__()
        self.start = start

    def forward(self, x):
        return self.start(x)

class Reads(nn.Module):
    def forward(self, x):
        return x.item()

class Cell(Base):
    def __init__(self, given=None):
        {init}

    def zeros(self, x):
        return x.item()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, x):
        return self.cell(x)
"""


def called(init: str) -> list[str]:
    return [
        name
        for name in callees(NET.format(init=init), "Net.forward")
        if name in ("torch.Tensor.item", "builtins.print")
    ]


@pytest.mark.parametrize(
    ("init", "found"),
    [
        ("super().__init__(3, self.zeros)", ["torch.Tensor.item"]),
        ("super().__init__(3, start=self.zeros)", ["torch.Tensor.item"]),
        ("super(Cell, self).__init__(3, start=self.zeros)", ["torch.Tensor.item"]),
        ("super().__init__(3, start=at_once)", ["builtins.print"]),
        ("super().__init__(3, start=lambda x: x.item())", ["torch.Tensor.item"]),
        ("super().__init__(3, start=self.zeros if given else at_once)", ["torch.Tensor.item", "builtins.print"]),
    ],
)
def test_what_is_handed_up_is_entered_where_the_base_calls_it(init: str, found: list[str]) -> None:
    assert sorted(called(init)) == sorted(found)


@pytest.mark.parametrize(
    "before",
    [
        "start = Reads()",
        "start = nn.Sequential(*[Reads() for _ in range(3)])",
        "layers = [Reads() for _ in range(3)]\n        start = nn.Sequential(*layers)",
        "if given is None:\n            given = Reads()\n        start = given",
    ],
)
def test_what_is_made_before_it_is_handed_up_is_known(before: str) -> None:
    assert called(f"{before}\n        super().__init__(3, start)") == ["torch.Tensor.item"]


def test_what_a_name_becomes_after_it_was_handed_up_is_not_handed_up() -> None:
    init = "start = Reads()\n        super().__init__(3, start)\n        start = at_once"
    assert called(init) == ["torch.Tensor.item"]


@pytest.mark.parametrize(
    ("why", "init"),
    [
        ("nothing is handed up", "super().__init__(3)"),
        ("it is for another parameter", "super().__init__(self.zeros)"),
        ("what the class is given is not known", "super().__init__(3, given)"),
        ("no function", "super().__init__(3, self)"),
        ("places are not known", "super().__init__(*[3], self.zeros)"),
    ],
)
def test_other_arguments_are_not_entered(why: str, init: str) -> None:
    assert called(init) == [], why


def test_a_class_that_hands_its_methods_up_is_a_root_of_its_own() -> None:
    def roots(init: str) -> list[str]:
        found = inspector(NET.format(init=init))
        return [root.label.rpartition(" ")[2] for root in offered_roots(found, "example.py")]

    assert "Cell.forward" in roots("super().__init__(3, self.zeros)")
    assert "Cell.forward" not in roots("super().__init__(3, at_once)")
