"""Recipes for hiera."""

from __future__ import annotations

import hiera
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "hiera"

SMALL = {
    "input_size": (64, 64),
    "embed_dim": 16,
    "num_heads": 1,
    "stages": (1, 1, 1),
    "q_pool": 2,
    "mask_unit_size": (4, 4),
    "num_classes": 5,
}

RECIPES: Recipes = {
    "Hiera": lambda: shaped(hiera.Hiera(**SMALL), ((2, 3, 64, 64), (3, 3, 64, 64))),
    "Hiera_intermediates": lambda: built(
        hiera.Hiera(**SMALL, drop_path_rate=0.2),
        lambda b: {"x": torch.randn(b, 3, 64, 64), "return_intermediates": True},
        (2,),
        (3,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
