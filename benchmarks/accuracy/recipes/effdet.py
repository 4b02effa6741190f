"""Recipes for effdet: detectors on the backbones of timm."""

from __future__ import annotations

from typing import Any

import effdet
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "effdet"


def _model() -> nn.Module:
    config = effdet.get_efficientdet_config("tf_efficientdet_lite0")
    config.image_size = (128, 128)
    return effdet.EfficientDet(config, pretrained_backbone=False)


def _trained() -> Built:
    bench = effdet.DetBenchTrain(_model(), create_labeler=True)

    def arguments(batch: int) -> tuple[Any, ...]:
        boxes = torch.tensor([[10.0, 10.0, 60.0, 60.0], [30.0, 20.0, 90.0, 100.0]]).repeat(batch, 1, 1)
        target = {
            "bbox": boxes,
            "cls": torch.ones(batch, 2),
            "img_scale": torch.ones(batch),
            "img_size": torch.full((batch, 2), 128.0),
        }
        return torch.randn(batch, 3, 128, 128), target

    return built(bench, arguments, (2,), (3,))


RECIPES: Recipes = {
    "EfficientDet": lambda: shaped(_model(), ((2, 3, 128, 128), (3, 3, 128, 128))),
    "DetBenchPredict": lambda: shaped(
        effdet.DetBenchPredict(_model()), ((1, 3, 128, 128), (2, 3, 128, 128)), trains=False
    ),
    "DetBenchTrain": _trained,
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
