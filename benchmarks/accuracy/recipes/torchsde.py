"""Recipes for torchsde: solvers of stochastic differential equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
import torchsde
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "torchsde"


class _Equation(torchsde.SDEIto):
    def __init__(self) -> None:
        super().__init__(noise_type="diagonal")
        self.drift = nn.Linear(4, 4)
        self.spread = nn.Linear(4, 4)

    def f(self, t: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.drift(y)

    def g(self, t: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.spread(y).sigmoid()


def _solved(method: str, solver: Callable[..., Any] = torchsde.sdeint, **more: Any) -> Built:
    def arguments(batch: int, points: int) -> Mapping[str, Any]:
        return {
            "sde": _Equation(),
            "y0": torch.randn(batch, 4),
            "ts": torch.linspace(0, 1, points),
            "dt": 0.25,
            "method": method,
            **more,
        }

    return built(solver, arguments, (2, 3), (3, 4))


RECIPES: Recipes = {
    **{f"sdeint_{method}": partial(_solved, method) for method in ("euler", "milstein", "srk")},
    "sdeint_adaptive": partial(_solved, "euler", adaptive=True, rtol=0.1, atol=0.1),
    "sdeint_adjoint": partial(_solved, "euler", torchsde.sdeint_adjoint),
    "BrownianInterval": lambda: built(
        torchsde.BrownianInterval(0.0, 1.0, size=(2, 4), entropy=3).__call__,
        lambda a, b: (a, b),
        (0.1, 0.4),
        (0.2, 0.9),
        trains=False,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
