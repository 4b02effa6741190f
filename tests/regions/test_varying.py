"""What a loop gives to a name in each round, where source writes down what it goes through."""

from __future__ import annotations

import pytest

from tests.regions.around import constructs_around

COMPILED = (
    "import torch\n"
    "@torch.compile\n"
    "def f(x, name):\n"
    "    return x + len(name)\n"
    "TABLE = {'a': 1, 'b': 2, 'c': 3, 'd': 4}\n"
)


@pytest.mark.parametrize(
    "head",
    [
        "for name in 'abcd'",
        "for name in 'one two three four'.split()",
        "for name in ['a', 'b', 'c', 'd']",
        "for name in TABLE",
        "for name in TABLE.keys()",
        "for name, _ in TABLE.items()",
        "for _, name in {1: 'a', 2: 'b', 3: 'c', 4: 'd'}.items()",
        "for name in {1: 'a', 2: 'b', 3: 'c', 4: 'd'}.values()",
        "for name, _ in [('a', 1), ('b', 2), ('c', 3), ('d', 4)]",
        "for i, (name, _) in enumerate(TABLE.items())",
        "for (name, _), other in zip(TABLE.items(), 'wxyz')",
    ],
)
def test_texts_that_are_written_down_are_told_apart(head: str) -> None:
    assert "str-argument" in constructs_around(f"{COMPILED}{head}:\n    f(torch.ones(3), name)\n")


@pytest.mark.parametrize(
    "head",
    [
        "for name in 'aaaa'",
        "for name in TABLE.values()",
        "for name in unknown.split()",
        "for name in {**unknown}",
        "for name, _ in [('a', 1), ('b', 2, 3)]",
    ],
)
def test_the_same_text_and_what_is_not_written_down_are_not(head: str) -> None:
    assert "str-argument" not in constructs_around(f"{COMPILED}{head}:\n    f(torch.ones(3), name)\n")
