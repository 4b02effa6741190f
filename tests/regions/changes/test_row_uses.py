"""Loops over the rows of tensors that have another number of them in each call. Each was run with torch 2.13."""

from __future__ import annotations

import pytest

from tests.regions.constructs import constructs_around

CODE = """
import torch

def each(rows):
    return [row * 2 for row in rows]

@torch.compile
def f(x):
    return BODY

for n in range(2, 12):
    f(GIVEN)
"""


def told(body: str, given: str = "torch.randn(n, 4)") -> bool:
    return "rows-of-argument" in constructs_around(CODE.replace("BODY", body).replace("GIVEN", given))


@pytest.mark.parametrize(
    "body",
    [
        "sum(row * 2 for row in x)",
        "sum(i * row for i, row in enumerate(x))",
        "[row * 2 for row in x.unbind()]",
        "[row * 2 for row in torch.unbind(x, 0)]",
        "[part * 2 for part in x.split(1)]",
        "torch.stack([row * 2 for row in reversed(list(x))])",
        "each(x)",
    ],
)
def test_rows_that_are_gone_through(body: str) -> None:
    assert told(body)


@pytest.mark.parametrize(
    ("why", "body", "given"),
    [
        ("the number of rows stays", "sum(row * 2 for row in x)", "torch.randn(4, n)"),
        ("another dimension is taken apart", "[row * 2 for row in x.unbind(1)]", "torch.randn(n, 4)"),
        ("chunk gives as many parts", "[part * 2 for part in x.chunk(2)]", "torch.randn(n, 4)"),
        ("nothing goes through it", "x.sum(0)", "torch.randn(n, 4)"),
        ("what is gone through is something else", "sum(row * 2 for row in x.t())", "torch.randn(n, 4)"),
    ],
)
def test_rows_that_are_not(why: str, body: str, given: str) -> None:
    assert not told(body, given), why
