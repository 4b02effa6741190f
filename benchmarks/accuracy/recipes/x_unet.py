"""Recipes for x_unet."""

from __future__ import annotations

from x_unet import XUnet

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "x_unet"

RECIPES: Recipes = {
    "XUnet": lambda: shaped(
        XUnet(
            dim=16,
            channels=3,
            dim_mults=(1, 2),
            num_blocks_per_stage=(1, 1),
            num_self_attn_per_stage=(0, 1),
            nested_unet_depths=(1, 0),
            nested_unet_dim=8,
            consolidate_upsample_fmaps=True,
            attn_heads=2,
            attn_dim_head=8,
        ),
        ((1, 3, 16, 16), (2, 3, 32, 32)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
