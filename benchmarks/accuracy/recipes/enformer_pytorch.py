"""Recipes for enformer_pytorch."""

from __future__ import annotations

import torch
from enformer_pytorch import Enformer
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, tokens

PACKAGE = "enformer_pytorch"


def _enformer() -> nn.Module:
    return Enformer.from_hparams(
        dim=48,
        depth=1,
        heads=2,
        output_heads={"human": 5, "mouse": 3},
        target_length=2,
        attn_dim_key=8,
        use_tf_gamma=False,
    )


RECIPES: Recipes = {
    "Enformer": lambda: tokens(_enformer(), (1, 1024), (2, 1024), 4),
    "Enformer_loss": lambda: built(
        _enformer(),
        lambda b: {"x": torch.randint(0, 4, (b, 1024)), "target": torch.rand(b, 2, 5), "head": "human"},
        (1,),
        (2,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
