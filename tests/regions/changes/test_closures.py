"""What a compiled function reads of the function around it, and what that changes between the calls."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around, events_around

PRELUDE = """
import torch
import torch.nn.functional as F
from torch import nn

def main(net, loader, names):
    value, text, seen = 1, "a", []

    @torch.compile
    def step(x):
        {}

    @torch.compile
    def given(g, x):
        return g(x)

    {}
"""


def constructs(body: str, loop: str) -> list[str]:
    return constructs_around(PRELUDE.format(body, loop.replace("\n", "\n    ")))


@pytest.mark.parametrize(
    ("body", "loop", "construct"),
    [
        ("return {text: x}", "for i in range(9):\n    text = f'h{i}'\n    step(x)", "str-argument"),
        ("return {text: x}", "for text in ['a', 'b', 'c', 'd']:\n    step(x)", "str-argument"),
        ("return x.chunk(value)", "for value in range(9):\n    step(x)", "int-argument"),
        ("return [x for _ in range(value)]", "for i in range(9):\n    value = i + 1\n    step(x)", "int-argument"),
        ("return F.dropout(x, value)", "for i in range(9):\n    value = i / 10\n    step(x)", "float-argument"),
        ("return x if value else x * 2", "for i in range(9):\n    value = i < 3\n    step(x)", "bool-argument"),
        ("return x + len(seen)", "for i in range(9):\n    seen.append(i)\n    step(x)", "length-of-argument"),
        ("pass", "for value in range(9):\n    given(lambda t: t.chunk(value), x)", "int-argument"),
    ],
)
def test_a_name_of_the_function_around_is_another_value(body: str, loop: str, construct: str) -> None:
    assert constructs(body, loop) == [construct]


@pytest.mark.parametrize(
    ("why", "body", "loop"),
    [
        ("a number stays open", "return x * value", "for value in range(9):\n    step(x)"),
        ("it is not read", "return x * 2", "for text in ['a', 'b', 'c', 'd']:\n    step(x)"),
        ("it is a name of its own", "text = 'b'\n        return {text: x}", "for text in names:\n    step(x)"),
        ("the loop comes later", "return x.chunk(value)", "step(x)\nfor value in range(9):\n    print(value)"),
        ("it is the same each time", "return {text: x}", "for i in range(9):\n    text = 'b'\n    step(x)"),
        ("few values are few graphs", "return {text: x}", "for text in ['a', 'b']:\n    step(x)"),
        ("a tensor is an input", "return x + value", "for value in loader:\n    step(x)"),
    ],
)
def test_a_name_of_the_function_around_costs_nothing(why: str, body: str, loop: str) -> None:
    assert not constructs(body, loop), why


def test_it_is_told_at_the_call_and_by_its_name() -> None:
    code = PRELUDE.format("return x.chunk(value)", "for value in range(9):\n        step(x)")
    (event,) = [each for each in events_around(code) if each.construct == "int-argument"]
    assert (event.source, event.use, event.used_in) == ("value", "x.chunk(value)", "main.<locals>.step")
