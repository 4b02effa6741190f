"""Recipes for torchmetrics: metrics as modules that count, and as functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torchmetrics
from torchmetrics import classification, clustering, functional, image, regression, retrieval, segmentation, text

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "torchmetrics"


def _classes(metric: Callable[..., Any]) -> Built:
    return built(
        metric, lambda n: (torch.randn(n, 4).softmax(-1), torch.randint(0, 4, (n,))), (12,), (16,), trains=False
    )


def _numbers(metric: Callable[..., Any]) -> Built:
    return built(metric, lambda n: (torch.randn(n), torch.randn(n)), (12,), (16,), trains=False)


def _images(metric: Callable[..., Any]) -> Built:
    return built(metric, lambda s: (torch.rand(2, 3, s, s), torch.rand(2, 3, s, s)), (16,), (24,), trains=False)


def _queries(metric: Callable[..., Any]) -> Built:
    return built(
        metric,
        lambda n: {"preds": torch.rand(n), "target": torch.randint(0, 2, (n,)), "indexes": torch.randint(0, 3, (n,))},
        (12,),
        (16,),
        trains=False,
    )


RECIPES: Recipes = {
    **{
        f"classification.{name}": partial(lambda name: _classes(getattr(classification, name)(num_classes=4)), name)
        for name in (
            "MulticlassAccuracy",
            "MulticlassAUROC",
            "MulticlassConfusionMatrix",
            "MulticlassF1Score",
            "MulticlassCalibrationError",
            "MulticlassCohenKappa",
            "MulticlassHingeLoss",
            "MulticlassMatthewsCorrCoef",
            "MulticlassPrecisionRecallCurve",
        )
    },
    **{
        f"regression.{name}": partial(lambda name: _numbers(getattr(regression, name)()), name)
        for name in (
            "MeanSquaredError",
            "PearsonCorrCoef",
            "SpearmanCorrCoef",
            "R2Score",
            "KendallRankCorrCoef",
            "ConcordanceCorrCoef",
            "MeanAbsolutePercentageError",
            "ExplainedVariance",
        )
    },
    "image.PeakSignalNoiseRatio": lambda: _images(image.PeakSignalNoiseRatio(data_range=1.0)),
    **{
        f"image.{name}": partial(lambda name: _images(getattr(image, name)()), name)
        for name in (
            "UniversalImageQualityIndex",
            "SpectralAngleMapper",
            "ErrorRelativeGlobalDimensionlessSynthesis",
            "RelativeAverageSpectralError",
        )
    },
    "image.StructuralSimilarityIndexMeasure": lambda: _images(
        image.StructuralSimilarityIndexMeasure(kernel_size=5, data_range=1.0)
    ),
    **{
        f"retrieval.{name}": partial(lambda name: _queries(getattr(retrieval, name)()), name)
        for name in ("RetrievalMAP", "RetrievalMRR", "RetrievalNormalizedDCG")
    },
    "MeanMetric": lambda: built(torchmetrics.MeanMetric(), lambda n: (torch.rand(n),), (5,), (8,), trains=False),
    "MetricCollection": lambda: _classes(
        torchmetrics.MetricCollection([classification.MulticlassAccuracy(4), classification.MulticlassPrecision(4)])
    ),
    "text.Perplexity": lambda: built(
        text.Perplexity(),
        lambda b, n: (torch.randn(b, n, 6), torch.randint(0, 6, (b, n))),
        (2, 5),
        (3, 8),
        trains=False,
    ),
    "segmentation.GeneralizedDiceScore": lambda: built(
        segmentation.GeneralizedDiceScore(num_classes=3),
        lambda b, s: (torch.randint(0, 2, (b, 3, s, s)), torch.randint(0, 2, (b, 3, s, s))),
        (2, 8),
        (3, 12),
        trains=False,
    ),
    "clustering.MutualInfoScore": lambda: built(
        clustering.MutualInfoScore(),
        lambda n: (torch.randint(0, 3, (n,)), torch.randint(0, 3, (n,))),
        (12,),
        (16,),
        trains=False,
    ),
    "functional.scale_invariant_signal_distortion_ratio": lambda: _numbers(
        functional.scale_invariant_signal_distortion_ratio
    ),
    "functional.permutation_invariant_training": lambda: built(
        functional.audio.permutation_invariant_training,
        lambda b: (torch.randn(b, 2, 20), torch.randn(b, 2, 20), functional.signal_noise_ratio),
        (2,),
        (3,),
        trains=False,
    ),
    "functional.pairwise_cosine_similarity": lambda: shaped(
        functional.pairwise_cosine_similarity, ((6, 4), (8, 4)), ((5, 4), (7, 4)), trains=False
    ),
    "functional.retrieval_fall_out": lambda: built(
        functional.retrieval.retrieval_fall_out,
        lambda n: (torch.rand(n), torch.randint(0, 2, (n,))),
        (8,),
        (12,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
