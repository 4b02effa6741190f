"""Recipes for pytorch_forecasting: blocks and losses of its models."""

from __future__ import annotations

from typing import Any

import torch
from pytorch_forecasting import metrics
from pytorch_forecasting.models.nbeats.sub_modules import NBEATSGenericBlock, NBEATSSeasonalBlock, NBEATSTrendBlock
from pytorch_forecasting.models.nn import MultiEmbedding
from pytorch_forecasting.models.temporal_fusion_transformer.sub_modules import (
    GatedResidualNetwork,
    InterpretableMultiHeadAttention,
    VariableSelectionNetwork,
)
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "pytorch_forecasting"


def _selection() -> Built:
    model = VariableSelectionNetwork(
        {"a": 4, "b": 4}, 8, {}, 0.1, 8, prescalers=nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 4)})
    )
    return built(
        model,
        lambda n, t: ({"a": torch.randn(n, t, 4), "b": torch.randn(n, t, 4)}, torch.randn(n, t, 8)),
        (3, 5),
        (4, 7),
    )


def _loss(loss: Any, width: int) -> Built:
    return built(loss.loss, lambda n: (torch.rand(n, 5, width) + 0.5, torch.rand(n, 5) + 0.5), (3,), (4,))


RECIPES: Recipes = {
    "NBEATSGenericBlock": lambda: shaped(
        NBEATSGenericBlock(8, 4, backcast_length=6, forecast_length=3), ((3, 6), (4, 6))
    ),
    "NBEATSSeasonalBlock": lambda: shaped(
        NBEATSSeasonalBlock(8, 4, backcast_length=6, forecast_length=3), ((3, 6), (4, 6))
    ),
    "NBEATSTrendBlock": lambda: shaped(NBEATSTrendBlock(8, 4, backcast_length=6, forecast_length=3), ((3, 6), (4, 6))),
    "MultiEmbedding": lambda: built(
        MultiEmbedding({"a": (5, 3), "b": (4, 2)}, x_categoricals=["a", "b"]),
        lambda n: (torch.randint(0, 4, (n, 6, 2)),),
        (3,),
        (4,),
    ),
    "GatedResidualNetwork": lambda: shaped(GatedResidualNetwork(8, 8, 8, 0.1), ((3, 8), (4, 8))),
    "InterpretableMultiHeadAttention": lambda: shaped(
        InterpretableMultiHeadAttention(2, 8, 0.1),
        ((3, 5, 8), (4, 7, 8)),
        ((3, 5, 8), (4, 7, 8)),
        ((3, 5, 8), (4, 7, 8)),
    ),
    "VariableSelectionNetwork": _selection,
    "QuantileLoss": lambda: _loss(metrics.QuantileLoss([0.1, 0.5, 0.9]), 3),
    "SMAPE": lambda: _loss(metrics.SMAPE(), 1),
    "RMSE": lambda: _loss(metrics.RMSE(), 1),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
