"""Recipes for pytorch_tabnet."""

from __future__ import annotations

import torch
from pytorch_tabnet import sparsemax, tab_network

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "pytorch_tabnet"

GROUPS = torch.eye(6)

RECIPES: Recipes = {
    "TabNet": lambda: shaped(
        tab_network.TabNet(
            6,
            3,
            n_d=4,
            n_a=4,
            n_steps=2,
            cat_idxs=[],
            cat_dims=[],
            cat_emb_dim=1,
            group_attention_matrix=GROUPS,
            virtual_batch_size=4,
        ),
        ((8, 6), (12, 6)),
    ),
    "TabNet_categories": lambda: built(
        tab_network.TabNet(
            6,
            3,
            n_d=4,
            n_a=4,
            n_steps=2,
            cat_idxs=[0, 2],
            cat_dims=[3, 4],
            cat_emb_dim=[2, 2],
            group_attention_matrix=torch.eye(8),
            mask_type="entmax",
        ),
        lambda n: (torch.randint(0, 3, (n, 6)).float(),),
        (8,),
        (12,),
    ),
    "TabNetPretraining": lambda: shaped(
        tab_network.TabNetPretraining(
            6, n_d=4, n_a=4, n_steps=2, cat_idxs=[], cat_dims=[], group_attention_matrix=GROUPS
        ),
        ((8, 6), (12, 6)),
    ),
    "Sparsemax": lambda: shaped(sparsemax.Sparsemax(dim=-1), ((4, 6), (5, 6))),
    "Entmax15": lambda: shaped(sparsemax.Entmax15(dim=-1), ((4, 6), (5, 6))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
