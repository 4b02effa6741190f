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


CLASSES = """
class Spec: pass
class Dense(Spec):
    def __init__(self, n=1):
        self.n = n
class Sparse(Spec): pass
SPEC = Sparse()

"""


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("Dense()", False),
        ("Dense(n=2)", False),
        ("Dense() | int()", True),  # of what is no class of the project nothing is said
        ("Sparse()", True),
        ("Spec()", True),
        ("Spec(n=1)", True),
    ],
)
def test_an_object_of_the_project_fits_its_own_class(pattern: str, is_told: bool) -> None:
    code = CLASSES + function(f"match SPEC:\n    case {pattern}:\n        x.item()")
    assert any(event.source == "x.item()" for event in events(code, "f", "call")) is is_told


def test_what_fits_leaves_nothing_for_other_patterns_and_what_does_not_is_asked_all_the_same() -> None:
    code = CLASSES + function(
        "match SPEC:\n    case Dense():\n        x.min()\n"
        "    case Spec():\n        x.max()\n    case _:\n        x.item()"
    )
    assert [event.source for event in events(code, "f", "call")] == ["x.max()"]
    assert len(events(code, "f", "match")) == 2
