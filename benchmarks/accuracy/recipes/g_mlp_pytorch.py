"""Recipes for g_mlp_pytorch."""

from __future__ import annotations

import g_mlp_pytorch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "g_mlp_pytorch"

RECIPES: Recipes = {
    "gMLP": lambda: tokens(
        g_mlp_pytorch.gMLP(num_tokens=50, dim=16, depth=2, seq_len=12, causal=True, attn_dim=8, prob_survival=0.9),
        (2, 12),
        (3, 12),
        50,
    ),
    "gMLPVision": lambda: shaped(
        g_mlp_pytorch.gMLPVision(image_size=16, patch_size=4, num_classes=5, dim=16, depth=2),
        ((2, 3, 16, 16), (3, 3, 16, 16)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
