"""Recipes for botorch: models and acquisition functions of Bayesian optimization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from botorch import acquisition, models, sampling
from botorch.test_functions import Ackley, Branin, Hartmann

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "botorch"


def _model() -> models.SingleTaskGP:
    return models.SingleTaskGP(torch.rand(6, 2, dtype=torch.double), torch.rand(6, 1, dtype=torch.double))


def _candidates(target: Callable[..., Any], points: int = 1) -> Built:
    return built(target, lambda b: (torch.rand(b, points, 2, dtype=torch.double),), (3,), (5,), trains=False)


RECIPES: Recipes = {
    "ExpectedImprovement": lambda: _candidates(acquisition.ExpectedImprovement(_model(), best_f=0.5)),
    "LogExpectedImprovement": lambda: _candidates(acquisition.LogExpectedImprovement(_model(), best_f=0.5)),
    "UpperConfidenceBound": lambda: _candidates(acquisition.UpperConfidenceBound(_model(), beta=0.2)),
    "qExpectedImprovement": lambda: _candidates(
        acquisition.qExpectedImprovement(
            _model(), best_f=0.5, sampler=sampling.SobolQMCNormalSampler(torch.Size([4]), seed=1)
        ),
        points=2,
    ),
    "Branin": lambda: built(Branin(), lambda n: (torch.rand(n, 2),), (4,), (6,), trains=False),
    "Hartmann": lambda: built(Hartmann(dim=6), lambda n: (torch.rand(n, 6),), (4,), (6,), trains=False),
    "Ackley": lambda: built(Ackley(dim=3, noise_std=0.1), lambda n: (torch.rand(n, 3),), (4,), (6,), trains=False),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
