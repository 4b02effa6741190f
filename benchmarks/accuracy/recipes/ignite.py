"""Recipes for ignite: metrics that count."""

from __future__ import annotations

from typing import Any

import torch
from ignite import metrics

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "ignite"


def _classes(metric: Any) -> Built:
    return built(
        metric.update, lambda n: ((torch.randn(n, 4).softmax(-1), torch.randint(0, 4, (n,))),), (6,), (9,), trains=False
    )


def _numbers(metric: Any) -> Built:
    return built(metric.update, lambda n: ((torch.randn(n), torch.randn(n)),), (6,), (9,), trains=False)


RECIPES: Recipes = {
    "Accuracy": lambda: _classes(metrics.Accuracy()),
    "ConfusionMatrix": lambda: _classes(metrics.ConfusionMatrix(4)),
    "Precision": lambda: _classes(metrics.Precision()),
    "TopKCategoricalAccuracy": lambda: _classes(metrics.TopKCategoricalAccuracy(2)),
    "MeanSquaredError": lambda: _numbers(metrics.MeanSquaredError()),
    "MeanAbsoluteError": lambda: _numbers(metrics.MeanAbsoluteError()),
    "PSNR": lambda: built(
        metrics.PSNR(1.0).update,
        lambda n: ((torch.rand(n, 3, 8, 8), torch.rand(n, 3, 8, 8)),),
        (2,),
        (3,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
