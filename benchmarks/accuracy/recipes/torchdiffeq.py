"""Recipes for torchdiffeq: solvers of ordinary differential equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import nn
from torchdiffeq import odeint, odeint_adjoint

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "torchdiffeq"


def _solved(method: str, solver: Callable[..., Any] = odeint, **options: Any) -> Built:
    field = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))

    def arguments(batch: int, points: int) -> Mapping[str, Any]:
        parameters = {"adjoint_params": tuple(field.parameters())} if solver is odeint_adjoint else {}
        return {
            "func": _Field(field),
            "y0": torch.randn(batch, 4),
            "t": torch.linspace(0, 1, points),
            "method": method,
            **parameters,
            **options,
        }

    return built(solver, arguments, (2, 4), (3, 6))


class _Field(nn.Module):
    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, time: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        return self.network(state)


RECIPES: Recipes = {
    **{
        f"odeint_{method}": partial(_solved, method)
        for method in (
            "dopri5",
            "bosh3",
            "euler",
            "midpoint",
            "rk4",
            "explicit_adams",
            "implicit_adams",
            "adaptive_heun",
        )
    },
    "odeint_adjoint": partial(_solved, "dopri5", odeint_adjoint),
    "odeint_step_size": partial(_solved, "rk4", options={"step_size": 0.1, "perturb": True}),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
