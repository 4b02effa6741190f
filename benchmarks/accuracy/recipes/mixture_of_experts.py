"""Recipes for mixture_of_experts."""

from __future__ import annotations

import mixture_of_experts

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "mixture_of_experts"

RECIPES: Recipes = {
    "MoE": lambda: shaped(mixture_of_experts.MoE(dim=16, num_experts=4, hidden_dim=16), ((2, 12, 16), (3, 20, 16))),
    "HeirarchicalMoE": lambda: shaped(
        mixture_of_experts.HeirarchicalMoE(dim=16, num_experts=(2, 2)), ((2, 12, 16), (3, 20, 16))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
