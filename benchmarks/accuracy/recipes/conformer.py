"""Recipes for conformer."""

from __future__ import annotations

import conformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "conformer"

RECIPES: Recipes = {
    "Conformer": lambda: shaped(
        conformer.Conformer(dim=16, depth=2, dim_head=8, heads=2, ff_mult=2, conv_kernel_size=7),
        ((2, 12, 16), (3, 20, 16)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
