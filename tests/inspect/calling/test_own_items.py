"""Ordered dicts with a `__setitem__` of their own that are filled at once."""

from __future__ import annotations

import pytest

from tests.inspect.make import events

CODE = """
import collections
import dataclasses
class Doubled(collections.OrderedDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)
class Named(Doubled):
    def __init__(self, *items, **more):
        super().__init__(*items, **more)
@dataclasses.dataclass
class Record(Named):
    a: Optional[Tensor] = None
@dataclasses.dataclass(init=False)
class Half(Named):
    a: Optional[Tensor] = None
class Below(Record):
    pass
class Renamed(Record):
    def __init__(self, *items, **more):
        super().__init__(*items, **more)
class Plain(collections.OrderedDict):
    def first(self):
        return next(iter(self.values()))
class OfDict(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)
def f(x: Tensor):
    {}
"""


def filled(statement: str) -> list[str]:
    found = events(CODE.format(statement), "f", "call")
    return [event.callee.rpartition(".")[2] for event in found if event.construct == "own-items"]


@pytest.mark.parametrize(
    ("statement", "by"),
    [
        ("Doubled(a=x)", "__init__"),
        ("Doubled([('a', x)])", "__init__"),
        ("Named(a=x)", "__init__"),
        ("Half(a=x)", "__init__"),
        ("d = Doubled(); d.update(a=x)", "update"),
        ("d = Doubled(); d.setdefault('a', x)", "setdefault"),
    ],
)
def test_items_that_are_put_in_without_it(statement: str, by: str) -> None:
    assert filled(statement) == [by]


@pytest.mark.parametrize(
    ("why", "statement"),
    [
        ("there are no items", "Doubled()"),
        ("they are put in one by one", "d = Doubled(); d['a'] = x"),
        ("it has no say of its own", "d = Plain(a=x); d.update(b=x)"),
        ("the `__init__` that `dataclass` writes fills nothing", "Record(a=x)"),
        ("so does an inherited one", "Below(a=x)"),
        ("and one that is called by `super`", "Renamed(a=x)"),
        ("a dict does not ask it", "d = OfDict(a=x); d.update(b=x)"),
        ("it puts in nothing", "d = Doubled(); d.pop('a', None)"),
    ],
)
def test_items_that_are_as_in_python(why: str, statement: str) -> None:
    assert filled(statement) == [], why
