"""Recipes for loralib."""

from __future__ import annotations

import loralib

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "loralib"

RECIPES: Recipes = {
    "Linear": lambda: shaped(loralib.Linear(8, 6, r=2, lora_dropout=0.1), ((4, 8), (6, 8))),
    "MergedLinear": lambda: shaped(loralib.MergedLinear(8, 12, r=2, enable_lora=[True, False, True]), ((4, 8), (6, 8))),
    "Conv2d": lambda: shaped(loralib.Conv2d(4, 6, 3, r=2), ((2, 4, 8, 8), (3, 4, 12, 12))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
