"""Recipes for nystrom_attention."""

from __future__ import annotations

import nystrom_attention
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "nystrom_attention"

RECIPES: Recipes = {
    "Nystromformer": lambda: shaped(
        nystrom_attention.Nystromformer(dim=32, dim_head=16, heads=2, depth=2, num_landmarks=4, pinv_iterations=2),
        ((2, 14, 32), (3, 22, 32)),
    ),
    "NystromAttention_mask": lambda: built(
        nystrom_attention.NystromAttention(dim=32, dim_head=16, heads=2, num_landmarks=4, pinv_iterations=2),
        lambda b, n: {"x": torch.randn(b, n, 32), "mask": torch.ones(b, n, dtype=torch.bool)},
        (2, 14),
        (3, 22),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
