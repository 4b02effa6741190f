"""What a method calls on its object."""

from __future__ import annotations

import pytest

from compilelint.inspect.members.own_calls import called_on_self
from tests.inspect.make import inspector


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("this.b()\n        this.a()\n        this.b()", ("b", "a")),
        ("return [this.a(x) for x in this.items()] if x else this.c", ("items", "a")),
        ("def inner():\n            this.a()", ("a",)),
        ("self.a()\n        other.this.a()\n        this.part.a()\n        this()", ()),
    ],
)
def test_it_is_told_by_name_and_once(body: str, called: tuple[str, ...]) -> None:
    found = inspector(f"class C:\n    def step(this, x):\n        {body}\n")
    module = found.tree.module("example.py")
    assert module is not None
    (method,) = (each for each in module.functions.values() if each.qualname == "C.step")
    assert set(called_on_self(found, method)) == set(called)
    assert len(called_on_self(found, method)) == len(called)
