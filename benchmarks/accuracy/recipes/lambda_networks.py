"""Recipes for lambda_networks."""

from __future__ import annotations

import lambda_networks

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "lambda_networks"

RECIPES: Recipes = {
    "LambdaLayer": lambda: shaped(
        lambda_networks.LambdaLayer(dim=8, dim_out=8, n=8, dim_k=4, heads=2, dim_u=1), ((2, 8, 8, 8), (3, 8, 8, 8))
    ),
    "LambdaLayer_local": lambda: shaped(
        lambda_networks.LambdaLayer(dim=8, dim_out=8, r=5, dim_k=4, heads=2, dim_u=2), ((2, 8, 8, 8), (3, 8, 12, 12))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
