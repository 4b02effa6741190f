"""Recipes for deepctr_torch: models that predict clicks."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from deepctr_torch import inputs, layers, models

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "deepctr_torch"


def _columns() -> list[Any]:
    sparse = [inputs.SparseFeat(f"s{each}", 5, embedding_dim=4) for each in range(3)]
    return [*sparse, *(inputs.DenseFeat(f"d{each}", 1) for each in range(2))]


def _rows(count: int) -> tuple[Any, ...]:
    return (torch.cat([torch.randint(0, 5, (count, 3)).float(), torch.randn(count, 2)], 1),)


def _model(name: str, **config: Any) -> Built:
    return built(getattr(models, name)(_columns(), _columns(), **config), _rows, (6,), (9,))


HIDDEN = {"dnn_hidden_units": (8,)}

RECIPES: Recipes = {
    **{
        name: partial(_model, name, **HIDDEN)
        for name in ("DeepFM", "WDL", "NFM", "DCN", "DCNMix", "AutoInt", "FiBiNET", "IFM", "DIFM", "ONN")
    },
    "xDeepFM_CIN": lambda: shaped(layers.CIN(3, (4, 4)), ((6, 3, 4), (9, 3, 4))),
    "AFMLayer": lambda: built(layers.AFMLayer(4), lambda n: ([torch.randn(n, 1, 4) for _ in range(3)],), (6,), (9,)),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
