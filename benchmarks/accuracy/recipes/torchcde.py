"""Recipes for torchcde: controlled differential equations and their paths."""

from __future__ import annotations

from typing import Any

import torch
import torchcde

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "torchcde"


def _times(batch: int, length: int) -> tuple[Any, ...]:
    return (torch.randn(batch, length, 3),)


RECIPES: Recipes = {
    "natural_cubic_coeffs": lambda: built(torchcde.natural_cubic_coeffs, _times, (2, 8), (3, 12)),
    "hermite_cubic_coefficients": lambda: built(
        torchcde.hermite_cubic_coefficients_with_backward_differences, _times, (2, 8), (3, 12)
    ),
    "linear_interpolation_coeffs": lambda: built(torchcde.linear_interpolation_coeffs, _times, (2, 8), (3, 12)),
    "CubicSpline_evaluate": lambda: built(
        torchcde.CubicSpline(torchcde.natural_cubic_coeffs(torch.randn(2, 8, 3))).evaluate,
        lambda t: (torch.tensor(t),),
        (1.5,),
        (2.5,),
        trains=False,
    ),
    "LinearInterpolation_derivative": lambda: built(
        torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(torch.randn(2, 8, 3))).derivative,
        lambda t: (torch.tensor(t),),
        (1.5,),
        (2.5,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
