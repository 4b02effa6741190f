"""Recipes for neuralop: operators between functions, and losses in Sobolev norms."""

from __future__ import annotations

from functools import partial
from typing import Any

from neuralop import losses, models

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "neuralop"


def _operator(name: str, **config: Any) -> Built:
    return shaped(
        getattr(models, name)(in_channels=1, out_channels=1, hidden_channels=8, **config),
        ((2, 1, 16, 16), (3, 1, 24, 24)),
    )


RECIPES: Recipes = {
    "FNO": partial(_operator, "FNO", n_modes=(4, 4), n_layers=2, norm="instance_norm"),
    "FNO_skip": partial(
        _operator, "FNO", n_modes=(4, 4), n_layers=2, complex_data=False, stabilizer="tanh", domain_padding=0.1
    ),
    "TFNO": partial(
        _operator, "TFNO", n_modes=(4, 4), n_layers=2, factorization="tucker", rank=0.5, implementation="factorized"
    ),
    "UNO": partial(
        _operator,
        "UNO",
        channel_mlp_skip="linear",
        uno_out_channels=[8, 8, 8],
        uno_n_modes=[[4, 4]] * 3,
        uno_scalings=[[1.0, 1.0]] * 3,
        n_layers=3,
        lifting_channels=8,
        projection_channels=8,
    ),
    "CODANO": lambda: shaped(
        models.CODANO(
            n_layers=2,
            n_modes=[[4, 4]] * 2,
            n_heads=[1, 1],
            per_layer_scaling_factors=[[1, 1]] * 2,
            attention_scaling_factors=[1, 1],
            hidden_variable_codimension=4,
            lifting_channels=8,
            projection_channels=8,
            use_positional_encoding=False,
            static_channel_dim=0,
            variable_ids=["a"],
        ),
        ((1, 1, 16, 16), (2, 1, 24, 24)),
    ),
    "LpLoss": lambda: shaped(losses.LpLoss(d=2), ((2, 1, 8, 8), (3, 1, 12, 12)), ((2, 1, 8, 8), (3, 1, 12, 12))),
    "H1Loss": lambda: shaped(losses.H1Loss(d=2), ((2, 1, 8, 8), (3, 1, 12, 12)), ((2, 1, 8, 8), (3, 1, 12, 12))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
