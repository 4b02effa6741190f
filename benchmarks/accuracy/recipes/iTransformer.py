"""Recipes for iTransformer: forecasting with attention among variates."""

from __future__ import annotations

import iTransformer as itransformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "iTransformer"

RECIPES: Recipes = {
    "iTransformer": lambda: shaped(
        itransformer.iTransformer(
            num_variates=5,
            lookback_len=12,
            dim=16,
            depth=2,
            heads=2,
            dim_head=8,
            pred_length=(3, 6),
            num_tokens_per_variate=1,
            use_reversible_instance_norm=True,
        ),
        ((2, 12, 5), (3, 12, 5)),
    ),
    "iTransformer2D": lambda: shaped(
        itransformer.iTransformer2D(
            num_variates=5, num_time_tokens=4, lookback_len=12, dim=16, depth=1, heads=2, dim_head=8, pred_length=(3, 6)
        ),
        ((2, 12, 5), (3, 12, 5)),
    ),
    "iTransformerFFT": lambda: shaped(
        itransformer.iTransformerFFT(
            num_variates=5, lookback_len=12, dim=16, depth=1, heads=2, dim_head=8, pred_length=(3, 6)
        ),
        ((2, 12, 5), (3, 12, 5)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
