"""A key that is hashed once."""

from __future__ import annotations

from compilelint.inspect.hashed import Hashed


class Counted:
    def __init__(self, value: int) -> None:
        self.value, self.hashed = value, 0

    def __hash__(self) -> int:
        self.hashed += 1
        return self.value % 2

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counted) and other.value == self.value


def test_it_is_found_by_what_it_holds_and_hashed_once() -> None:
    inner = Counted(1)
    key = Hashed((inner, "x"))
    found = {key: "found", Hashed((Counted(3), "x")): "other"}
    assert found[Hashed((Counted(1), "x"))] == "found"
    assert found[key] == "found"
    assert inner.hashed == 1
    assert key != (inner, "x")
