"""Tensors of no size that `__init__` leaves, for the first call to replace."""

from __future__ import annotations

import pytest

from compilelint.report.confidence import Confidence
from tests.inspect.lasting.test_first_calls import fills

ITEM = "if self.cache[0].shape[2:4] != x.shape[2:4]:\n    self.cache[0] = x + 1"


@pytest.mark.parametrize(
    ("body", "initial"),
    [
        (ITEM, "[torch.zeros(1)] * 3"),
        (ITEM, "[torch.empty(0) for _ in range(3)]"),
        ("if mask or self.cache[0].shape != x.shape:\n    self.cache[0], n = x + 1, 3", "[torch.zeros(1)] * 3"),
        ("if self.cache.size(0) != x.size(0):\n    self.cache = x + 1", "torch.tensor([])"),
        (
            "held = self.cache[0]\nif held.shape != x.shape:\n    held = x + 1\n    self.cache[0] = held",
            "[torch.zeros(1)] * 3",
        ),
    ],
)
def test_the_first_call_replaces_a_tensor_of_no_size(body: str, initial: str) -> None:
    assert fills(body, initial) == [Confidence.HIGH]


@pytest.mark.parametrize(
    ("why", "body", "initial"),
    [
        ("it may fit from the start", ITEM, "[torch.zeros(1, 1, 20, 20, 2)] * 3"),
        ("nothing is known of it", ITEM, "make()"),
        ("another one is asked", "if x.shape != mask.shape:\n    self.cache[0] = x + 1", "[torch.zeros(1)] * 3"),
        (
            "where it fits",
            "if self.cache[0].shape != x.shape:\n    pass\nelse:\n    self.cache[0] = x + 1",
            "[torch.zeros(1)] * 3",
        ),
    ],
)
def test_what_may_fit_is_none(why: str, body: str, initial: str) -> None:
    assert fills(body, initial) == []
