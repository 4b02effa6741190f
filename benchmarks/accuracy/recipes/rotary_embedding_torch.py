"""Recipes for rotary_embedding_torch."""

from __future__ import annotations

from rotary_embedding_torch import RotaryEmbedding

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "rotary_embedding_torch"

RECIPES: Recipes = {
    "rotate_queries_or_keys": lambda: shaped(
        RotaryEmbedding(dim=16).rotate_queries_or_keys, ((2, 2, 12, 16), (3, 2, 20, 16))
    ),
    "rotate_queries_and_keys_xpos": lambda: shaped(
        RotaryEmbedding(dim=16, use_xpos=True).rotate_queries_and_keys,
        ((2, 2, 12, 16), (3, 2, 20, 16)),
        ((2, 2, 12, 16), (3, 2, 20, 16)),
    ),
    "get_axial_freqs": lambda: built(
        RotaryEmbedding(dim=8, freqs_for="pixel", max_freq=16).get_axial_freqs, lambda *sides: sides, (8, 4), (12, 6)
    ),
    "rotate_queries_with_cached_keys": lambda: shaped(
        RotaryEmbedding(dim=16).rotate_queries_with_cached_keys,
        ((2, 2, 1, 16), (3, 2, 1, 16)),
        ((2, 2, 12, 16), (3, 2, 20, 16)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
