"""Items that are counted where they may not be there yet."""

from __future__ import annotations

import pytest

from compilelint.inspect import kinds
from tests.inspect.make import events

COUNTS = """
COUNTS = {{}}
SEEN = {{}}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.counts = {{}}

    def forward(self, x, name):
        {}
        return x
"""


def counted(statement: str) -> list[tuple[str, kinds.Kind]]:
    found = events(COUNTS.format(statement), "Net.forward", "attribute-write", "global-write")
    return [(event.callee, event.args[0]) for event in found if event.construct == "item-augmented"]


@pytest.mark.parametrize(
    ("statement", "callee"),
    [
        ("COUNTS[name] = COUNTS.get(name, 0) + 1", "COUNTS"),
        ("COUNTS['n'] = COUNTS.get('n', 0) + 1", "COUNTS"),
        ("self.counts[name] = self.counts.get(name, 0) + 1", "torch.nn.Module.counts"),
    ],
)
def test_what_is_counted_from_where_it_may_not_be_is_a_number(statement: str, callee: str) -> None:
    assert counted(statement) == [(callee, kinds.INT)]


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("another item is read", "COUNTS[name] = COUNTS.get('n', 0) + 1"),
        ("another dict is read", "COUNTS[name] = SEEN.get(name, 0) + 1"),
        ("the dict is gone with the call", "mine = {}\n        mine[name] = mine.get(name, 0) + 1"),
        ("it is set once", "COUNTS[name] = COUNTS.get(name, 0)"),
    ],
)
def test_what_is_no_counter(why: str, statement: str) -> None:
    assert not counted(statement), why


def test_what_a_tensor_is_added_to_is_no_number() -> None:
    assert all(kind != kinds.INT for _, kind in counted("COUNTS[name] = COUNTS.get(name, 0) + x.sum()"))
