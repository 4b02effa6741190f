"""Recipes for st_moe_pytorch: experts chosen by a router."""

from __future__ import annotations

import st_moe_pytorch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "st_moe_pytorch"

RECIPES: Recipes = {
    "MoE": lambda: shaped(
        st_moe_pytorch.MoE(dim=16, num_experts=4, gating_top_n=2, threshold_train=0.2, threshold_eval=0.2),
        ((2, 12, 16), (3, 20, 16)),
    ),
    "SparseMoEBlock": lambda: shaped(
        st_moe_pytorch.SparseMoEBlock(st_moe_pytorch.MoE(dim=16, num_experts=4, gating_top_n=2), add_ff_before=True),
        ((2, 12, 16), (3, 20, 16)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
