"""Recipes for rtdl_revisiting_models."""

from __future__ import annotations

import rtdl_revisiting_models as rtdl
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "rtdl_revisiting_models"

RECIPES: Recipes = {
    "MLP": lambda: shaped(rtdl.MLP(d_in=6, d_out=2, n_blocks=2, d_block=8, dropout=0.1), ((5, 6), (8, 6))),
    "ResNet": lambda: shaped(
        rtdl.ResNet(
            d_in=6, d_out=2, n_blocks=2, d_block=8, d_hidden=8, d_hidden_multiplier=None, dropout1=0.1, dropout2=0.1
        ),
        ((5, 6), (8, 6)),
    ),
    "FTTransformer": lambda: built(
        rtdl.FTTransformer(
            n_cont_features=4,
            cat_cardinalities=[3, 5],
            d_out=2,
            n_blocks=1,
            d_block=16,
            attention_n_heads=2,
            attention_dropout=0.1,
            ffn_d_hidden=None,
            ffn_d_hidden_multiplier=2.0,
            ffn_dropout=0.1,
            residual_dropout=0.1,
        ),
        lambda n: (torch.randn(n, 4), torch.randint(0, 3, (n, 2))),
        (5,),
        (8,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
