"""Recipes for routing_transformer: attention within clusters of tokens."""

from __future__ import annotations

import routing_transformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "routing_transformer"

RECIPES: Recipes = {
    "RoutingTransformerLM": lambda: tokens(
        routing_transformer.RoutingTransformerLM(
            num_tokens=50, dim=32, heads=2, depth=2, max_seq_len=32, window_size=8, n_local_attn_heads=1, causal=True
        ),
        (2, 32),
        (3, 32),
        50,
    ),
    "RoutingTransformer": lambda: shaped(
        routing_transformer.RoutingTransformer(
            dim=32,
            heads=2,
            depth=2,
            max_seq_len=32,
            window_size=8,
            n_local_attn_heads=1,
            local_attn_window_size=8,
            reversible=True,
        ),
        ((2, 32, 32), (3, 32, 32)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
