"""Recipes for colt5_attention: heavy layers for few tokens, chosen by a differentiable sort."""

from __future__ import annotations

import colt5_attention
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "colt5_attention"

RECIPES: Recipes = {
    "ConditionalRoutedFeedForward": lambda: shaped(
        colt5_attention.ConditionalRoutedFeedForward(16, num_heavy_tokens=4, light_ff_mult=0.5, heavy_ff_mult=2),
        ((2, 12, 16), (3, 20, 16)),
    ),
    "ConditionalRoutedAttention": lambda: shaped(
        colt5_attention.ConditionalRoutedAttention(
            16,
            light_dim_head=8,
            light_heads=2,
            light_window_size=4,
            heavy_dim_head=8,
            heavy_heads=2,
            num_heavy_tokens_q=4,
            num_heavy_tokens_kv=4,
        ),
        ((2, 12, 16), (3, 20, 16)),
    ),
    "CoordinateDescentRouter": lambda: built(
        colt5_attention.CoordinateDescentRouter(16, straight_through=True),
        lambda b, n: {"x": torch.randn(b, n, 16), "num_tokens": 4},
        (2, 12),
        (3, 20),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
