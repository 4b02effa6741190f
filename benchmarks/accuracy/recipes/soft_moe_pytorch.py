"""Recipes for soft_moe_pytorch."""

from __future__ import annotations

import soft_moe_pytorch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "soft_moe_pytorch"

RECIPES: Recipes = {
    "SoftMoE": lambda: shaped(
        soft_moe_pytorch.SoftMoE(dim=16, seq_len=12, num_experts=3, geglu=True), ((2, 12, 16), (3, 12, 16))
    ),
    "DynamicSlotsSoftMoE": lambda: shaped(
        soft_moe_pytorch.DynamicSlotsSoftMoE(dim=16, num_experts=3), ((2, 12, 16), (3, 20, 16))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
