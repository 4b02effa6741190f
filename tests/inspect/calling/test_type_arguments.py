"""Classes that stand with their type arguments."""

from __future__ import annotations

import pytest

from compilelint.inspect.calling.type_arguments import OF_BUILTIN, OF_GENERIC
from tests.inspect.make import happenings

CLASSES = """
from collections import OrderedDict
from typing import Generic, List, TypeVar, cast
T = TypeVar("T")
class Box(Generic[T]):
    def __init__(self, value: T):
        self.value = value
class Special(Box[int]):
    pass
class Items(list):
    pass
IntBox = Box[int]
Ints = list[int]
FNS = {"a": Box}
chosen = FNS["a"]
class Meta(type):
    def __getitem__(cls, key):
        return cls
class Registry(metaclass=Meta):
    pass
class Own:
    def __class_getitem__(cls, key):
        return cls
Owned = Own[int]
"""


@pytest.mark.parametrize(
    ("expression", "callees"),
    [
        ("Box[int](x)", {OF_GENERIC}),
        ("cast(Box[int], x)", {OF_GENERIC}),
        ("list[int](n)", {OF_BUILTIN}),
        ("OrderedDict[str, int]()", {OF_BUILTIN}),
        ("List[int]()", {OF_BUILTIN}),
        ("Items[int]()", {OF_BUILTIN}),
        ("IntBox(x)", {OF_BUILTIN}),
        ("Ints()", {OF_BUILTIN}),
        ("Owned()", set()),
        ("chosen(x)", set()),
        ("list[int]", set()),
        ("Box(x)", set()),
        ("Special(x)", set()),
        ("Registry['a'](x)", set()),
        ("Own[3](x)", set()),
        ("[torch.relu][0](x)", set()),
    ],
)
def test_type_arguments(expression: str, callees: set[str]) -> None:
    found = {callee for callee, _ in happenings(f"return {expression}", "call", around=CLASSES)}
    assert found & {OF_GENERIC, OF_BUILTIN} == callees


def test_annotations_are_free() -> None:
    body = "box: Box[int] = Box(x)\nparts: list[Box[int]] = [box]\nreturn parts"
    found = {callee for callee, _ in happenings(body, "call", around=CLASSES)}
    assert found.isdisjoint({OF_GENERIC, OF_BUILTIN})
