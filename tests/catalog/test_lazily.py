from __future__ import annotations

import pytest

from compilelint.catalog.lazily import Lazily


def test_a_value_is_read_once_and_only_when_it_is_asked_for() -> None:
    read: list[str] = []

    def number(text: str) -> int:
        read.append(text)
        return int(text)

    lazily = Lazily({"a": "1", "b": "2"}, number)
    assert (list(lazily), len(lazily), "a" in lazily, read) == (["a", "b"], 2, True, [])
    assert (lazily["b"], lazily["b"], read) == (2, 2, ["2"])
    assert lazily == {"a": 1, "b": 2}


def test_what_is_not_there_is_missing() -> None:
    lazily = Lazily({"a": "1"}, int)
    assert lazily.get("b") is None
    with pytest.raises(KeyError):
        lazily["b"]
