"""Recipes for equiformer_pytorch."""

from __future__ import annotations

import torch
from equiformer_pytorch import Equiformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "equiformer_pytorch"

RECIPES: Recipes = {
    "Equiformer": lambda: built(
        Equiformer(
            num_tokens=9,
            dim=(4, 4),
            dim_head=(4, 4),
            heads=(1, 1),
            num_linear_attn_heads=0,
            num_degrees=2,
            depth=1,
            attend_self=True,
            num_neighbors=4,
            valid_radius=10.0,
        ),
        lambda b, n: (torch.randint(0, 9, (b, n)), torch.randn(b, n, 3), torch.ones(b, n, dtype=torch.bool)),
        (1, 8),
        (2, 10),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
