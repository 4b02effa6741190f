"""Recipes for ema_pytorch: a moving average of a model's weights."""

from __future__ import annotations

import tempfile

import ema_pytorch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "ema_pytorch"

RECIPES: Recipes = {
    "EMA": lambda: shaped(
        ema_pytorch.EMA(nn.Linear(8, 8), beta=0.99, update_after_step=1, update_every=1), ((4, 8), (6, 8))
    ),
    "EMA_update": lambda: built(
        ema_pytorch.EMA(nn.Linear(8, 8), beta=0.99, update_after_step=0, update_every=1).update,
        lambda: (),
        (),
        (),
        trains=False,
    ),
    "PostHocEMA": lambda: shaped(
        ema_pytorch.PostHocEMA(
            nn.Linear(8, 8), sigma_rels=(0.05, 0.3), checkpoint_folder=tempfile.mkdtemp()
        ).ema_models[0],
        ((4, 8), (6, 8)),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
