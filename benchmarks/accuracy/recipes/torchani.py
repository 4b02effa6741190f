"""Recipes for torchani: energies of molecules."""

from __future__ import annotations

import torch
import torchani

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "torchani"

RECIPES: Recipes = {
    "AEVComputer": lambda: built(
        torchani.aev.AEVComputer.like_1x(num_species=2),
        lambda b, n: (torch.randint(0, 2, (b, n)), torch.rand(b, n, 3) * 4),
        (1, 4),
        (2, 6),
    ),
    "SpeciesConverter": lambda: built(
        torchani.nn.SpeciesConverter(["H", "C", "N", "O"]),
        lambda b, n: (torch.randint(6, 9, (b, n)),),
        (1, 4),
        (2, 6),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
