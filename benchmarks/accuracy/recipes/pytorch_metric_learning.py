"""Recipes for pytorch_metric_learning: losses and miners over embeddings with labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from pytorch_metric_learning import distances, losses, miners, reducers, regularizers

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "pytorch_metric_learning"


def _embedded(target: Callable[..., Any]) -> Built:
    return built(target, lambda n: (torch.randn(n, 8), torch.randint(0, 4, (n,))), (12,), (16,))


CLASSES = {"num_classes": 4, "embedding_size": 8}

RECIPES: Recipes = {
    **{
        name: partial(lambda name: _embedded(getattr(losses, name)()), name)
        for name in (
            "AngularLoss",
            "CircleLoss",
            "ContrastiveLoss",
            "FastAPLoss",
            "GeneralizedLiftedStructureLoss",
            "IntraPairVarianceLoss",
            "LiftedStructureLoss",
            "MarginLoss",
            "MultiSimilarityLoss",
            "NCALoss",
            "NPairsLoss",
            "NTXentLoss",
            "PNPLoss",
            "SignalToNoiseRatioContrastiveLoss",
            "SupConLoss",
            "TripletMarginLoss",
            "TupletMarginLoss",
            "DynamicSoftMarginLoss",
            "InstanceLoss",
        )
    },
    **{
        name: partial(lambda name: _embedded(getattr(losses, name)(**CLASSES)), name)
        for name in (
            "ArcFaceLoss",
            "CosFaceLoss",
            "LargeMarginSoftmaxLoss",
            "NormalizedSoftmaxLoss",
            "ProxyAnchorLoss",
            "ProxyNCALoss",
            "SoftTripleLoss",
            "SphereFaceLoss",
            "SubCenterArcFaceLoss",
        )
    },
    "CrossBatchMemory": lambda: _embedded(losses.CrossBatchMemory(losses.ContrastiveLoss(), 8, memory_size=24)),
    "TripletMarginLoss_swap": lambda: _embedded(
        losses.TripletMarginLoss(
            swap=True,
            smooth_loss=True,
            distance=distances.CosineSimilarity(),
            reducer=reducers.ThresholdReducer(low=0.1),
            embedding_regularizer=regularizers.LpRegularizer(),
        )
    ),
    **{
        name: partial(lambda name: _embedded(getattr(miners, name)()), name)
        for name in (
            "BatchHardMiner",
            "MultiSimilarityMiner",
            "TripletMarginMiner",
            "PairMarginMiner",
            "DistanceWeightedMiner",
            "AngularMiner",
            "UniformHistogramMiner",
            "BatchEasyHardMiner",
        )
    },
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
