"""Recipes for pyro: networks, transforms of distributions, and kernels."""

from __future__ import annotations

import torch
from pyro import distributions
from pyro import nn as pnn
from pyro.contrib import gp
from pyro.distributions import transforms

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "pyro"

RECIPES: Recipes = {
    "DenseNN": lambda: shaped(pnn.DenseNN(4, [8], [2, 3]), ((6, 4), (9, 4))),
    "AutoRegressiveNN": lambda: shaped(pnn.AutoRegressiveNN(4, [8], param_dims=(2, 3)), ((6, 4), (9, 4))),
    "ConditionalAutoRegressiveNN": lambda: shaped(
        pnn.ConditionalAutoRegressiveNN(4, 3, [8]), ((6, 4), (9, 4)), ((6, 3), (9, 3))
    ),
    "Spline": lambda: shaped(transforms.Spline(4, count_bins=4), ((6, 4), (9, 4))),
    "AffineAutoregressive": lambda: shaped(
        transforms.AffineAutoregressive(pnn.AutoRegressiveNN(4, [8])), ((6, 4), (9, 4))
    ),
    "Planar": lambda: shaped(transforms.Planar(4), ((6, 4), (9, 4))),
    "Householder": lambda: shaped(transforms.Householder(4, count_transforms=2), ((6, 4), (9, 4))),
    "RBF": lambda: shaped(gp.kernels.RBF(3), ((6, 3), (9, 3))),
    "Matern52": lambda: shaped(gp.kernels.Matern52(3), ((6, 3), (9, 3))),
    "ZeroInflatedPoisson_log_prob": lambda: built(
        distributions.ZeroInflatedPoisson(torch.tensor(2.0), gate=torch.tensor(0.3)).log_prob,
        lambda n: (torch.randint(0, 5, (n,)).float(),),
        (5,),
        (8,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
