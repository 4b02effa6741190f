"""Recipes for efficientnet_pytorch."""

from __future__ import annotations

from efficientnet_pytorch import EfficientNet

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "efficientnet_pytorch"

RECIPES: Recipes = {
    "EfficientNet": lambda: shaped(
        EfficientNet.from_name("efficientnet-b0", override_params={"num_classes": 5}), ((2, 3, 64, 64), (3, 3, 96, 96))
    ),
    "EfficientNet_features": lambda: shaped(
        EfficientNet.from_name("efficientnet-b0").extract_features, ((2, 3, 64, 64), (3, 3, 96, 96))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
