"""Recipes for product_key_memory."""

from __future__ import annotations

import product_key_memory

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "product_key_memory"

RECIPES: Recipes = {
    "PKM": lambda: shaped(
        product_key_memory.PKM(dim=16, heads=2, dim_head=8, num_keys=8, topk=4), ((2, 12, 16), (3, 20, 16))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
