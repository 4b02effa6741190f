"""Recipes for mambapy: state space models in plain torch."""

from __future__ import annotations

from mambapy.mamba import Mamba, MambaConfig

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "mambapy"

RECIPES: Recipes = {
    "Mamba": lambda: shaped(Mamba(MambaConfig(d_model=16, n_layers=1, d_state=4)), ((2, 12, 16), (3, 20, 16))),
    "Mamba_sequential": lambda: shaped(
        Mamba(MambaConfig(d_model=16, n_layers=1, d_state=4, pscan=False)), ((2, 12, 16), (3, 20, 16))
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
