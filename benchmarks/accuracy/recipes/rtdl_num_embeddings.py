"""Recipes for rtdl_num_embeddings."""

from __future__ import annotations

import rtdl_num_embeddings as rtdl
import torch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "rtdl_num_embeddings"


def _bins() -> list[torch.Tensor]:
    return rtdl.compute_bins(torch.randn(50, 3), n_bins=4)


RECIPES: Recipes = {
    "PeriodicEmbeddings": lambda: shaped(rtdl.PeriodicEmbeddings(3, 8, lite=False), ((5, 3), (8, 3))),
    "PiecewiseLinearEncoding": lambda: shaped(rtdl.PiecewiseLinearEncoding(_bins()), ((5, 3), (8, 3))),
    "PiecewiseLinearEmbeddings": lambda: shaped(
        rtdl.PiecewiseLinearEmbeddings(_bins(), 8, activation=True, version="B"), ((5, 3), (8, 3))
    ),
    "LinearReLUEmbeddings": lambda: shaped(rtdl.LinearReLUEmbeddings(3, 8), ((5, 3), (8, 3))),
    "compute_bins": lambda: built(rtdl.compute_bins, lambda n: (torch.randn(n, 3), 4), (40,), (60,), trains=False),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
