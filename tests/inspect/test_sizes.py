"""Which tuples are sizes of tensors."""

from __future__ import annotations

import pytest

from tests.inspect.make import events, function


def of_size(body: str) -> bool:
    """Whether a tensor is made of a size somewhere in a function with this body."""
    return any(event.construct == "of-size" for event in events(function(body), "f", "call"))


@pytest.mark.parametrize(
    "size",
    ["x.size()", "x.shape", "x[..., :2].shape", "x.shape[:2]", "x.size()[1:]", "torch.Size((2, 3))", "x.t().size()"],
)
def test_what_is_spelled_like_one(size: str) -> None:
    assert of_size(f"torch.FloatTensor({size})")
    assert of_size(f"given = {size}\ntorch.LongTensor(given)")


@pytest.mark.parametrize(
    "given", ["x.size(0)", "x.shape[0]", "*x.size()", "(2, 3)", "[1.0]", "x", "n", "what", "what[1]", "x.size(), n"]
)
def test_what_is_none(given: str) -> None:
    assert not of_size(f"torch.FloatTensor({given})")


def test_a_name_that_is_assigned_twice_tells_nothing() -> None:
    assert not of_size("given = x.size()\nif flag:\n    given = (2, 3)\ntorch.FloatTensor(given)")


def test_other_callees_take_sizes_as_they_are() -> None:
    assert not of_size("torch.zeros(x.size())")
