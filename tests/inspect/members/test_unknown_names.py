"""Attributes of which not even a part of the name is known."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, External, Kind, join
from tests.inspect.make import events, in_forward

LSTM, GRU = External("torch.nn.LSTM"), External("torch.nn.GRU")
AROUND = "n, name, what = int(input()), input(), input()"


@pytest.mark.parametrize(
    ("init", "kind"),
    [
        ("for i in range(3): self.add_module(f'rnn{i}', nn.LSTM(3, 3))", LSTM),
        ("for each in what: self.add_module(each, nn.LSTM(3, 3))", LSTM),
        ("for each in what: setattr(self, each, nn.LSTM(3, 3))", LSTM),
        ("for each in what: setattr(self, each, nn.LSTM(3, 3)); self.gru = nn.GRU(3, 3)", LSTM),
        ("self.names, self.a, self.b = ['a', 'b'], nn.LSTM(3, 3), nn.GRU(3, 3)", join(LSTM, GRU)),
        ("self.names, self.a, self.b = {1: 'a'}, nn.LSTM(3, 3), nn.GRU(3, 3)", LSTM),
        ("self.a, self.b = nn.LSTM(3, 3), nn.GRU(3, 3)", UNKNOWN),
        ("for each in what: setattr(self, each, 3)", UNKNOWN),
        ("self.names, self.a = ['a'], 3", UNKNOWN),
    ],
)
def test_it_is_one_of_the_layers_that_have_such_names(init: str, kind: Kind) -> None:
    assert in_forward("getattr(self, name)", init, around=AROUND) == kind


NET = """
class Net(nn.Module):
    STEPS = ["first", "second"]

    def forward(self, x):
        for name in {steps}:
            x = getattr(self, name)(x)
        return x

    def first(self, x):
        print("first")
        return x

    def second(self, x):
        breakpoint()
        return x

    def third(self, x):
        input()
        return x
"""


@pytest.mark.parametrize("steps", ["self.STEPS", "Net.STEPS", "sorted(self.STEPS)"])
def test_a_method_that_a_text_of_the_class_names_is_walked(steps: str) -> None:
    called = [event.callee for event in events(NET.format(steps=steps), "Net.forward", "call")]
    assert {"builtins.print", "builtins.breakpoint"} <= set(called)
    assert "builtins.input" not in called


def test_a_name_of_which_a_part_is_known_is_no_other() -> None:
    called = [event.callee for event in events(NET.format(steps="['third']"), "Net.forward", "call")]
    assert "builtins.input" in called
    assert "builtins.print" not in called


BY_TABLE = """
class Key:
    FIRST, THIRD = object(), object()

NAMES = {{{table}}}

class Net(nn.Module):
    def forward(self, x, key):
        self.find("second")
        return getattr(self, NAMES[key])(x)

    def find(self, name):
        return name

    def first(self, x):
        print("first")
        return x

    def second(self, x):
        breakpoint()
        return x
"""


@pytest.mark.parametrize("table", ["'a': 'first'", "Key.FIRST: 'first'", "1: 'first', 2: None"])
def test_what_a_table_names_is_meant_and_no_other_text_of_the_class(table: str) -> None:
    called = [event.callee for event in events(BY_TABLE.format(table=table), "Net.forward", "call")]
    assert "builtins.print" in called
    assert "builtins.breakpoint" not in called


@pytest.mark.parametrize("count", [2, 30])
def test_of_a_table_whose_names_are_not_known_nothing_is_meant(count: int) -> None:
    table = ", ".join(f"Key.F{number}: 'step{number}'" for number in range(count))
    called = [event.callee for event in events(BY_TABLE.format(table=table), "Net.forward", "call")]
    assert "builtins.print" not in called
    assert "builtins.breakpoint" not in called


def test_of_a_table_of_the_class_its_texts_are_meant() -> None:
    code = BY_TABLE.format(table="").replace("NAMES[key]", "self.NAMES[key]")
    code = code.replace("    def find", "    NAMES = {Key.FIRST: 'first', Key.THIRD: 'second'}\n\n    def find")
    called = [event.callee for event in events(code, "Net.forward", "call")]
    assert {"builtins.print", "builtins.breakpoint"} <= set(called)
