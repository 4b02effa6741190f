"""Recipes for chronos: forecasting with language models."""

from __future__ import annotations

from chronos.chronos_bolt import InstanceNorm, Patch, ResidualBlock

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "chronos"

RECIPES: Recipes = {
    "Patch": lambda: shaped(Patch(4, 4), ((2, 14), (3, 20))),
    "InstanceNorm": lambda: shaped(InstanceNorm(), ((2, 14), (3, 20))),
    "ResidualBlock": lambda: shaped(ResidualBlock(8, 16, 4, "relu"), ((2, 8), (3, 8))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
