"""Recipes for piq: measures of image quality."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import piq
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "piq"


def _pairs(target: Callable[..., Any], side: int = 96, **more: Any) -> Built:
    return built(
        target, lambda s: {"x": torch.rand(1, 3, s, s), "y": torch.rand(1, 3, s, s), **more}, (side,), (side * 3 // 2,)
    )


RECIPES: Recipes = {
    **{
        name: partial(lambda name: _pairs(getattr(piq, name)), name)
        for name in (
            "ssim",
            "psnr",
            "vif_p",
            "fsim",
            "gmsd",
            "haarpsi",
            "mdsi",
            "vsi",
            "srsim",
            "dss",
            "multi_scale_gmsd",
        )
    },
    "MultiScaleSSIMLoss": lambda: _pairs(piq.MultiScaleSSIMLoss(kernel_size=5, data_range=1.0), side=192),
    "InformationWeightedSSIMLoss": lambda: _pairs(
        piq.InformationWeightedSSIMLoss(kernel_size=5, data_range=1.0), side=192
    ),
    "total_variation": lambda: built(piq.total_variation, lambda s: (torch.rand(1, 3, s, s),), (16,), (24,)),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
