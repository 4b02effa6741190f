"""Recipes for geometric_vector_perceptron."""

from __future__ import annotations

import geometric_vector_perceptron as geometric
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "geometric_vector_perceptron"

RECIPES: Recipes = {
    "GVP": lambda: built(
        geometric.GVP(dim_vectors_in=4, dim_feats_in=8, dim_vectors_out=4, dim_feats_out=8),
        lambda n: ((torch.randn(n, 8), torch.randn(n, 4, 3)),),
        (5,),
        (7,),
    ),
    "GVPDropout": lambda: built(
        geometric.GVPDropout(0.2), lambda b, n: (torch.randn(b, n, 8), torch.randn(b, n, 4, 3)), (2, 5), (3, 7)
    ),
    "GVPLayerNorm": lambda: built(
        geometric.GVPLayerNorm(8), lambda b, n: (torch.randn(b, n, 8), torch.randn(b, n, 4, 3)), (2, 5), (3, 7)
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
