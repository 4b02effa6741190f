"""Tuples whose places have names."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import INT, UNKNOWN, Const, Kind, Tensor, join, sequence
from tests.inspect.make import callees, kind_of

INPUT = Tensor(parameter=True)
CLASSES = """
from collections import namedtuple
import collections
Pair = namedtuple("Pair", "a b")
Comma = collections.namedtuple("Comma", "a, b")
Listed = namedtuple("Listed", ["a", "b"])
Unknown = namedtuple("Unknown", input().split())
def first(a, b):
    return a
class Declared(typing.NamedTuple):
    a: Tensor
    b: int
class Derived(namedtuple("Derived", "a b")):
    def total(self):
        return len(self.a)
"""


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        ("Pair(x, 'b').a", INPUT),
        ("Pair(x, 'b').b", Const("b")),
        ("Pair('a', b=x).b", INPUT),
        ("Comma(x, 'b').b", Const("b")),
        ("Listed(x, 'b')[1]", Const("b")),
        ("Listed(x, 'b')[0]", INPUT),
        ("[each for each in Pair(x, 'b')][0]", join(INPUT, Const("b"))),
        ("first(*Pair(x, 'b'))", INPUT),
        ("Unknown(x, 'b').a", UNKNOWN),
        ("Pair(*what).a", UNKNOWN),
        ("Pair(x, 'b').c", UNKNOWN),
        ("Declared(x, 2)[1]", INT),
    ],
)
def test_what_a_named_tuple_is_made_with_is_what_it_holds(read: str, kind: Kind) -> None:
    assert kind_of(read, around=CLASSES) == kind


@pytest.mark.parametrize("made", ["Pair(x, 'b')", "Listed(x, b='b')"])
def test_it_is_unpacked_as_a_tuple(made: str) -> None:
    assert kind_of("(b, a)", f"a, b = {made}", around=CLASSES) == sequence("tuple", [Const("b"), INPUT])


@pytest.mark.parametrize("owner", ["Pair(x, 2)", "Unknown(x, 2)"])
def test_its_methods_are_calls_of_its_type(owner: str) -> None:
    called = callees(CLASSES + f"def f(x: Tensor):\n    {owner}._replace(a=3)")
    assert called[-1:] == ["collections.namedtuple.type._replace"]


def test_its_class_makes_it_of_other_things_too() -> None:
    assert callees(CLASSES + "def f(x: Tensor):\n    Pair._make((x, x))") == ["collections.namedtuple.type._make"]


def test_a_class_may_be_derived_of_one() -> None:
    assert callees(CLASSES + "def f(x: Tensor):\n    Derived(x, 2)._asdict()")[-1:] == [
        "collections.namedtuple.type._asdict"
    ]
