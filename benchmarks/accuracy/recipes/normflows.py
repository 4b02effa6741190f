"""Recipes for normflows."""

from __future__ import annotations

import normflows
import torch
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "normflows"


def _flow(*parts: nn.Module) -> Built:
    model = normflows.NormalizingFlow(normflows.distributions.DiagGaussian(4), list(parts))
    return shaped(model.forward_kld, ((6, 4), (9, 4)))


RECIPES: Recipes = {
    "AffineCouplingBlock": lambda: _flow(
        normflows.flows.AffineCouplingBlock(normflows.nets.MLP([2, 8, 4])), normflows.flows.Permute(4, mode="swap")
    ),
    "MaskedAffineFlow": lambda: _flow(
        normflows.flows.MaskedAffineFlow(
            torch.tensor([1.0, 0, 1, 0]), normflows.nets.MLP([4, 8, 4]), normflows.nets.MLP([4, 8, 4])
        )
    ),
    "AutoregressiveRationalQuadraticSpline": lambda: _flow(
        normflows.flows.AutoregressiveRationalQuadraticSpline(4, 1, 8, num_bins=4), normflows.flows.LULinearPermute(4)
    ),
    "CoupledRationalQuadraticSpline": lambda: _flow(
        normflows.flows.CoupledRationalQuadraticSpline(4, 1, 8, num_bins=4)
    ),
    "ActNorm": lambda: _flow(normflows.flows.ActNorm(4)),
    "Residual": lambda: _flow(
        normflows.flows.Residual(normflows.nets.LipschitzMLP([4, 8, 4], init_zeros=True, lipschitz_const=0.9))
    ),
    "Planar": lambda: shaped(normflows.flows.Planar((4,)), ((6, 4), (9, 4))),
    "Radial": lambda: shaped(normflows.flows.Radial((4,)), ((6, 4), (9, 4))),
    "sample": lambda: built(
        normflows.NormalizingFlow(
            normflows.distributions.DiagGaussian(4), [normflows.flows.MaskedAffineAutoregressive(4, 8)]
        ).sample,
        lambda n: (n,),
        (3,),
        (5,),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
