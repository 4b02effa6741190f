"""What somebody may have meant."""

from __future__ import annotations

import pytest

from compilelint.spelling import nearest


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("selct", ["select", "ignore"], "select"),
        ("CL1O1", ["CL101", "CL411", "CL501"], "CL101"),
        ("CL119", ["CL219", "CL110", "CL911"], "CL110"),
        ("tensor-itm", ["tensor-item", "tensor-branch"], "tensor-item"),
    ],
)
def test_names_the_nearest(word: str, known: list[str], meant: str) -> None:
    assert nearest(word, known) == f"; did you mean {meant!r}?"


def test_names_nothing_where_nothing_is_near() -> None:
    assert nearest("zzz", ["select", "ignore"]) == ""
    assert nearest("select", []) == ""
