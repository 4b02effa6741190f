"""Recipes for se3_transformer_pytorch."""

from __future__ import annotations

import torch
from se3_transformer_pytorch import SE3Transformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "se3_transformer_pytorch"

RECIPES: Recipes = {
    "SE3Transformer": lambda: built(
        SE3Transformer(dim=8, heads=1, depth=1, dim_head=4, num_degrees=2, num_neighbors=4, valid_radius=10),
        lambda b, n: (torch.randn(b, n, 8), torch.randn(b, n, 3), torch.ones(b, n, dtype=torch.bool)),
        (1, 8),
        (2, 10),
    ),
    "SE3Transformer_egnn": lambda: built(
        SE3Transformer(
            dim=8, heads=1, depth=1, dim_head=4, num_degrees=2, num_neighbors=4, use_egnn=True, egnn_hidden_dim=8
        ),
        lambda b, n: (torch.randn(b, n, 8), torch.randn(b, n, 3), torch.ones(b, n, dtype=torch.bool)),
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
