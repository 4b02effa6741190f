"""Recipes for torchcrf."""

from __future__ import annotations

from typing import Any

import torch
from torchcrf import CRF

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "torchcrf"


def _tags(batch: int, length: int) -> tuple[Any, ...]:
    mask = torch.ones(batch, length, dtype=torch.bool)
    mask[0, -2:] = False
    return torch.randn(batch, length, 5), torch.randint(0, 5, (batch, length)), mask


RECIPES: Recipes = {
    "CRF": lambda: built(CRF(5, batch_first=True), _tags, (2, 8), (3, 12)),
    "CRF_decode": lambda: built(
        CRF(5, batch_first=True).decode, lambda b, n: (_tags(b, n)[0], _tags(b, n)[2]), (2, 8), (3, 12), trains=False
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
