"""Recipes for esm: language models of proteins."""

from __future__ import annotations

import esm
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "esm"


def _proteins(model: nn.Module) -> Built:
    return built(
        model,
        lambda b, n: {"tokens": torch.randint(4, 24, (b, n)), "repr_layers": [1], "return_contacts": True},
        (2, 12),
        (3, 18),
    )


RECIPES: Recipes = {
    "ESM2": lambda: _proteins(esm.ESM2(num_layers=1, embed_dim=16, attention_heads=2)),
    "ESM2_masked": lambda: built(
        esm.ESM2(num_layers=1, embed_dim=16, attention_heads=2),
        lambda b, n: (torch.cat([torch.randint(4, 24, (b, n)), torch.full((b, 2), 32), torch.full((b, 2), 1)], 1),),
        (2, 12),
        (3, 18),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
