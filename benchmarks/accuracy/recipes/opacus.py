"""Recipes for opacus: gradients per sample, and recurrent layers that allow them."""

from __future__ import annotations

from opacus import GradSampleModule, layers
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "opacus"

RECIPES: Recipes = {
    "GradSampleModule": lambda: shaped(
        GradSampleModule(nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))), ((4, 6), (6, 6))
    ),
    "DPLSTM": lambda: shaped(layers.DPLSTM(6, 8, batch_first=True), ((2, 5, 6), (3, 7, 6))),
    "DPGRU": lambda: shaped(layers.DPGRU(6, 8, batch_first=True, bidirectional=True), ((2, 5, 6), (3, 7, 6))),
    "DPMultiheadAttention": lambda: shaped(
        layers.DPMultiheadAttention(8, 2), ((5, 2, 8), (7, 3, 8)), ((5, 2, 8), (7, 3, 8)), ((5, 2, 8), (7, 3, 8))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
