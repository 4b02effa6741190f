"""What the patterns of `match` ask."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import UNKNOWN, Tensor
from tests.inspect.make import events, function


def asked(pattern: str) -> list[str]:
    body = f"match x:\n    case {pattern}:\n        return 1"
    return [event.construct for event in events(function(body), "f", "match")]


@pytest.mark.parametrize(
    ("pattern", "constructs"),
    [
        ("Tensor()", ["class"]),
        ("{'a': 1}", ["mapping"]),
        ("[int(), str()]", ["class", "class"]),
        ("{'a': int()}", ["mapping", "class"]),
        ("1", []),
        ("None", []),
        ("[a, b]", []),
        ("_", []),
    ],
)
def test_classes_and_mappings_are_asked_for(pattern: str, constructs: list[str]) -> None:
    assert asked(pattern) == constructs


def test_only_a_whole_pattern_is_about_the_subject() -> None:
    body = "match x:\n    case [Tensor()]:\n        pass\n    case Tensor():\n        pass"
    inner, whole = events(function(body), "f", "match")
    assert inner.receiver == UNKNOWN
    assert isinstance(whole.receiver, Tensor)
