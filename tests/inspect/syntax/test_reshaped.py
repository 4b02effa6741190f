"""Tensors whose number of dimensions a method changes in place."""

from __future__ import annotations

import pytest

from compilelint.inspect.kinds import Tensor
from tests.inspect.make import kind_of


@pytest.mark.parametrize(
    ("before", "ndim"),
    [
        ("y = torch.zeros(3)\ny.unsqueeze_(0)", 2),
        ("y = torch.zeros(3)\ny.unsqueeze(0)", 1),
        ("y = torch.zeros(3)\ny.squeeze_()", None),
        ("y = torch.zeros(3, 2)\ny.t_()", 2),
        ("y = torch.zeros(3)\ny.add_(1)", 1),
    ],
)
def test_a_method_that_changes_a_shape_in_place_changes_that_of_the_name(before: str, ndim: int | None) -> None:
    kind = kind_of("y", before)
    assert isinstance(kind, Tensor)
    assert kind.ndim == ndim
