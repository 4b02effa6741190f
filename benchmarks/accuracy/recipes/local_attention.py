"""Recipes for local_attention: windows of a sequence."""

from __future__ import annotations

import local_attention

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "local_attention"

RECIPES: Recipes = {
    "LocalAttention": lambda: shaped(
        local_attention.LocalAttention(
            dim=16, window_size=8, causal=True, look_backward=1, look_forward=0, autopad=True
        ),
        ((2, 2, 20, 16), (3, 2, 30, 16)),
        ((2, 2, 20, 16), (3, 2, 30, 16)),
        ((2, 2, 20, 16), (3, 2, 30, 16)),
    ),
    "LocalTransformer": lambda: tokens(
        local_attention.LocalTransformer(
            num_tokens=50,
            dim=32,
            depth=2,
            causal=True,
            local_attn_window_size=8,
            max_seq_len=64,
            use_dynamic_pos_bias=True,
        ),
        (2, 20),
        (3, 30),
        50,
    ),
    "LocalMHA": lambda: shaped(
        local_attention.LocalMHA(
            dim=32, window_size=8, dim_head=16, heads=2, causal=True, use_xpos=True, xpos_scale_base=4
        ),
        ((2, 16, 32), (3, 24, 32)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
