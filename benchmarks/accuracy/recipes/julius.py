"""Recipes for julius: filters and resampling of signals."""

from __future__ import annotations

import julius
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "julius"

RECIPES: Recipes = {
    "ResampleFrac": lambda: shaped(julius.ResampleFrac(4, 5), ((2, 100), (3, 150))),
    "resample_frac": lambda: built(julius.resample_frac, lambda b, n: (torch.randn(b, n), 3, 2), (2, 100), (3, 150)),
    "LowPassFilter": lambda: shaped(julius.LowPassFilter(0.1), ((2, 200), (3, 300))),
    "HighPassFilter": lambda: shaped(julius.HighPassFilter(0.1), ((2, 200), (3, 300))),
    "SplitBands": lambda: shaped(julius.SplitBands(sample_rate=100, cutoffs=[10.0, 20.0]), ((2, 200), (3, 300))),
    "fft_conv1d": lambda: shaped(julius.fft_conv1d, ((1, 2, 200), (2, 2, 300)), ((3, 2, 17), (3, 2, 17))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
