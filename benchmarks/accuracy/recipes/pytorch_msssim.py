"""Recipes for pytorch_msssim."""

from __future__ import annotations

import pytorch_msssim

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "pytorch_msssim"

RECIPES: Recipes = {
    "SSIM": lambda: shaped(
        pytorch_msssim.SSIM(data_range=1.0), ((2, 3, 16, 16), (3, 3, 24, 24)), ((2, 3, 16, 16), (3, 3, 24, 24))
    ),
    "MS_SSIM": lambda: shaped(
        pytorch_msssim.MS_SSIM(data_range=1.0, win_size=3),
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
