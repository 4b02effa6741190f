"""Recipes for gpytorch: kernels, likelihoods and means."""

from __future__ import annotations

import gpytorch
import torch
from gpytorch import kernels, likelihoods
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "gpytorch"


def _kernel(kernel: nn.Module) -> Built:
    return shaped(kernel.forward, ((6, 3), (9, 3)), ((5, 3), (7, 3)))


def _lazy(kernel: nn.Module) -> Built:
    return shaped(kernel, ((6, 3), (9, 3)))


RECIPES: Recipes = {
    "RBFKernel": lambda: _kernel(kernels.RBFKernel(ard_num_dims=3)),
    "MaternKernel": lambda: _kernel(kernels.MaternKernel(nu=1.5)),
    "PeriodicKernel": lambda: _kernel(kernels.PeriodicKernel()),
    "RQKernel": lambda: _kernel(kernels.RQKernel()),
    "SpectralMixtureKernel": lambda: _kernel(kernels.SpectralMixtureKernel(num_mixtures=2, ard_num_dims=3)),
    "PiecewisePolynomialKernel": lambda: _kernel(kernels.PiecewisePolynomialKernel(q=2)),
    "CosineKernel": lambda: _kernel(kernels.CosineKernel()),
    "ArcKernel": lambda: _kernel(kernels.ArcKernel(kernels.MaternKernel(nu=2.5), ard_num_dims=3)),
    "RFFKernel": lambda: _kernel(kernels.RFFKernel(num_samples=4, num_dims=3)),
    "ScaleKernel_lazy": lambda: _lazy(kernels.ScaleKernel(kernels.RBFKernel())),
    "GaussianLikelihood_log_marginal": lambda: built(
        likelihoods.GaussianLikelihood().expected_log_prob,
        lambda n: (torch.randn(n), gpytorch.distributions.MultivariateNormal(torch.zeros(n), torch.eye(n))),
        (5,),
        (8,),
    ),
    "SoftmaxLikelihood": lambda: built(
        likelihoods.SoftmaxLikelihood(num_features=3, num_classes=4), lambda n: (torch.randn(n, 3),), (5,), (8,)
    ),
    "LinearMean": lambda: shaped(gpytorch.means.LinearMean(3), ((6, 3), (9, 3))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
