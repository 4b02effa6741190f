"""Recipes for tab_transformer_pytorch."""

from __future__ import annotations

import tab_transformer_pytorch as tabular
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "tab_transformer_pytorch"


def _rows(model: nn.Module) -> Built:
    return built(model, lambda b: (torch.randint(0, 4, (b, 3)), torch.randn(b, 5)), (4,), (6,))


RECIPES: Recipes = {
    "TabTransformer": lambda: _rows(
        tabular.TabTransformer(
            categories=(4, 5, 6),
            num_continuous=5,
            dim=16,
            dim_out=1,
            depth=2,
            heads=2,
            dim_head=8,
            mlp_hidden_mults=(4, 2),
            mlp_act=nn.ReLU(),
            continuous_mean_std=torch.randn(5, 2),
        )
    ),
    "FTTransformer": lambda: _rows(
        tabular.FTTransformer(categories=(4, 5, 6), num_continuous=5, dim=16, dim_out=1, depth=2, heads=2, dim_head=8)
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
