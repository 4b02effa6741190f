"""Conditions on what a layer of torch was made with."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.make import events


def confidence_under(test: str, layers: str, begin: str = "", **others: str) -> Confidence | None:
    code = f"""
{begin}
class Net(nn.Module):
    def __init__(self, rate=0.0, flag=True):
        super().__init__()
        {layers}

    def forward(self, x: Tensor):
        if {test}:
            print(x)
        return x
"""
    found = (each for each in events(code, "Net.forward", "call", **others) if each.callee == "builtins.print")
    return next((each.confidence for each in found), None)


_NEVER = [
    ("self.drop.p > 0", "self.drop = nn.Dropout(0.0)"),
    ("self.drop.p > 0", "self.drop = nn.Dropout(p=RATE)"),
    ("self.lin.bias is not None", "self.lin = nn.Linear(3, 4, bias=False)"),
    ("self.lin.bias is not None", "self.lin = nn.Linear(3, 4, False)"),
    ("not self.norm.affine", "self.norm = nn.BatchNorm1d(3)"),
    ("self.norm.momentum is not None", "self.norm = nn.BatchNorm2d(3, momentum=None)"),
    ("self.norm.running_mean is None", "self.norm = nn.BatchNorm2d(3)"),
    ("self.norm.weight is not None", "self.norm = nn.LayerNorm(3, elementwise_affine=False)"),
    ("self.lin.in_features != 3", "self.lin = nn.Linear(3, 4)"),
    ("self.conv.groups > 1", "self.conv = nn.Conv2d(3, 4, 1)"),
    ("self.emb.padding_idx is not None", "self.emb = nn.Embedding(3, 4)"),
    ("self.drop.p and self.training", "self.drop = nn.Dropout(0)"),
]


@pytest.mark.parametrize(("test", "layers"), _NEVER)
def test_what_a_layer_is_never_made_with_is_of_low_confidence(test: str, layers: str) -> None:
    assert confidence_under(test, layers, "RATE = 0.0") in (Confidence.LOW, None)


_OPEN = [
    ("self.drop.p > 0", "self.drop = nn.Dropout(rate)"),
    ("self.drop.p > 0", "self.drop = nn.Dropout(0.1)"),
    ("self.drop.p > 0", "self.drop = nn.Dropout(0.0) if flag else nn.Dropout(0.1)"),
    ("self.drop.p > 0", "self.drop = nn.Dropout(0.0)\n        if flag:\n            self.drop = nn.Dropout(0.3)"),
    ("self.drop.p > 0", "self.drop = nn.Dropout(*rate)"),
    ("self.norm.momentum is not None", "self.norm = nn.BatchNorm2d(3)"),
    ("self.norm.affine", "self.norm = nn.BatchNorm2d(3)"),
]


@pytest.mark.parametrize(("test", "layers"), _OPEN)
def test_what_is_left_open_or_spelled_so_is_as_sure_as_anything(test: str, layers: str) -> None:
    assert confidence_under(test, layers) == Confidence.HIGH


def test_an_option_that_is_set_later_is_left_open() -> None:
    begin = "def anneal(net, rate):\n    net.drop.p = rate\n"
    assert confidence_under("self.drop.p > 0", "self.drop = nn.Dropout(0.0)", begin) == Confidence.HIGH
