"""Recipes for nflows: normalizing flows of composed transforms."""

from __future__ import annotations

import torch
from nflows import distributions, flows, transforms
from nflows.transforms.splines import rational_quadratic
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "nflows"


def _flow(*parts: nn.Module) -> Built:
    flow = flows.Flow(transforms.CompositeTransform(list(parts)), distributions.StandardNormal([4]))
    return shaped(flow.log_prob, ((6, 4), (9, 4)))


def _sample() -> Built:
    flow = flows.MaskedAutoregressiveFlow(4, 8, 1, 1)
    return built(flow.sample, lambda n: (n,), (3,), (5,), trains=False)


RECIPES: Recipes = {
    "MaskedAffineAutoregressive": lambda: _flow(
        transforms.ReversePermutation(4), transforms.MaskedAffineAutoregressiveTransform(4, 8)
    ),
    "MaskedPiecewiseRationalQuadratic": lambda: _flow(
        transforms.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(
            4, 8, num_bins=4, tails="linear", tail_bound=3.0
        )
    ),
    "PiecewiseQuadraticCDF": lambda: _flow(transforms.Sigmoid(), transforms.PiecewiseQuadraticCDF([4], num_bins=4)),
    "LULinear": lambda: _flow(transforms.LULinear(4), transforms.RandomPermutation(4), transforms.ActNorm(4)),
    "SVDLinear": lambda: _flow(transforms.SVDLinear(4, num_householder=2)),
    "BatchNorm": lambda: _flow(transforms.BatchNorm(4)),
    "SimpleRealNVP": lambda: shaped(flows.SimpleRealNVP(4, 8, 2, 1).log_prob, ((6, 4), (9, 4))),
    "MaskedAutoregressiveFlow_sample": _sample,
    "rational_quadratic_spline": lambda: built(
        rational_quadratic.unconstrained_rational_quadratic_spline,
        lambda n: (torch.randn(n, 4), torch.randn(n, 4, 5), torch.randn(n, 4, 5), torch.randn(n, 4, 4)),
        (6,),
        (9,),
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
