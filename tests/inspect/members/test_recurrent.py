"""Modules that hold a recurrent layer, where all that is in them is gone through."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

CODE = """
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 3)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        {layer}
    def forward(self, x):
        {statement}
        return x
"""
LSTM = "self.rnn = nn.LSTM(3, 3)"


def gone_through(statement: str, layer: str = LSTM) -> list[str]:
    found = events(CODE.format(layer=layer, statement=statement), "Net.forward", "call")
    return [event.callee for event in found if event.construct == "over-recurrent"]


@pytest.mark.parametrize(
    "name", ["parameters", "named_parameters", "modules", "named_modules", "children", "named_children"]
)
def test_all_that_a_module_holds(name: str) -> None:
    assert gone_through(f"found = list(self.{name}())") == [f"torch.nn.Module.{name}"]


def test_a_loop_over_parameters() -> None:
    assert gone_through("for p in self.parameters(): x = x + p.sum()") == ["torch.nn.Module.parameters"]


def test_a_layer_in_a_module_in_it() -> None:
    inner = "self.inner = Inner()"
    assert gone_through("found = list(self.parameters())", inner) == ["torch.nn.Module.parameters"]
    assert gone_through("found = list(self.children())", inner) == []


@pytest.mark.parametrize(
    ("why", "statement", "layer"),
    [
        ("no such layer", "found = list(self.parameters())", "self.other = nn.Linear(3, 3)"),
        ("a cell is looked at", "found = list(self.parameters())", "self.cell = nn.LSTMCell(3, 3)"),
        ("the first is enough", "device = next(self.parameters()).device", LSTM),
        ("the first is enough", "device = next(iter(self.parameters())).device", LSTM),
        ("the loop is left", "for p in self.parameters(): return p.sum()", LSTM),
        ("another layer", "found = list(self.linear.parameters())", LSTM),
    ],
)
def test_what_does_not_come_to_it(why: str, statement: str, layer: str) -> None:
    assert gone_through(statement, layer) == [], why
