"""Recipes for sinkhorn_transformer: buckets of tokens, sorted by a learned permutation."""

from __future__ import annotations

import sinkhorn_transformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "sinkhorn_transformer"

RECIPES: Recipes = {
    "SinkhornTransformerLM": lambda: tokens(
        sinkhorn_transformer.SinkhornTransformerLM(
            num_tokens=50, dim=32, heads=2, depth=2, bucket_size=8, max_seq_len=32, causal=True, n_sortcut=0
        ),
        (2, 32),
        (3, 32),
        50,
    ),
    "SinkhornTransformer": lambda: shaped(
        sinkhorn_transformer.SinkhornTransformer(dim=32, heads=2, depth=1, bucket_size=8, sinkhorn_iter=2, n_sortcut=1),
        ((2, 32, 32), (3, 32, 32)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
