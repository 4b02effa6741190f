"""Recipes for byol_pytorch: an image encoder that is trained on two views of each image."""

from __future__ import annotations

import byol_pytorch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "byol_pytorch"

RECIPES: Recipes = {
    "BYOL": lambda: shaped(
        byol_pytorch.BYOL(
            nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 8)),
            image_size=16,
            hidden_layer=-1,
            projection_size=8,
            projection_hidden_size=16,
        ),
        ((4, 3, 16, 16), (6, 3, 16, 16)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
