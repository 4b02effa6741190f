"""Recipes for lpips."""

from __future__ import annotations

import lpips

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "lpips"

RECIPES: Recipes = {
    "LPIPS": lambda: shaped(
        lpips.LPIPS(pretrained=False, pnet_rand=True, net="alex", verbose=False),
        ((1, 3, 64, 64), (2, 3, 96, 96)),
        ((1, 3, 64, 64), (2, 3, 96, 96)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
