"""Recipes for linear_attention_transformer."""

from __future__ import annotations

import linear_attention_transformer as lat

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "linear_attention_transformer"

RECIPES: Recipes = {
    "LinearAttentionTransformerLM": lambda: tokens(
        lat.LinearAttentionTransformerLM(
            num_tokens=50,
            dim=32,
            heads=2,
            depth=2,
            max_seq_len=32,
            causal=True,
            blindspot_size=4,
            n_local_attn_heads=1,
            local_attn_window_size=8,
        ),
        (2, 32),
        (3, 32),
        50,
    ),
    "LinearAttentionTransformer": lambda: shaped(
        lat.LinearAttentionTransformer(dim=32, heads=2, depth=2, max_seq_len=32, reversible=True),
        ((2, 32, 32), (3, 24, 32)),
    ),
    "ImageLinearAttention": lambda: shaped(
        lat.ImageLinearAttention(chan=16, heads=2, key_dim=8), ((2, 16, 8, 8), (3, 16, 12, 12))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
