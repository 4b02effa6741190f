"""Recipes for coral_pytorch: ordinal regression."""

from __future__ import annotations

import torch
from coral_pytorch import dataset, layers, losses

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "coral_pytorch"

RECIPES: Recipes = {
    "CoralLayer": lambda: shaped(layers.CoralLayer(8, 5), ((4, 8), (6, 8))),
    "coral_loss": lambda: built(
        losses.coral_loss, lambda n: (torch.randn(n, 4), torch.randint(0, 2, (n, 4)).float()), (5,), (8,)
    ),
    "corn_loss": lambda: built(
        losses.corn_loss, lambda n: (torch.randn(n, 4), torch.randint(0, 5, (n,)), 5), (5,), (8,)
    ),
    "levels_from_labelbatch": lambda: built(
        dataset.levels_from_labelbatch, lambda n: (torch.randint(0, 5, (n,)), 5), (5,), (8,), trains=False
    ),
    "corn_label_from_logits": lambda: built(
        dataset.corn_label_from_logits, lambda n: (torch.randn(n, 4),), (5,), (8,), trains=False
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
