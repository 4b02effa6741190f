"""Recipes for zuko: normalizing flows whose modules return distributions."""

from __future__ import annotations

from torch import nn
from zuko import flows

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "zuko"


def _density(flow: nn.Module) -> Built:
    return shaped(flow().log_prob, ((5, 3), (7, 3)))


SMALL = {"features": 3, "hidden_features": (8,)}

RECIPES: Recipes = {
    "MAF": lambda: _density(flows.MAF(**SMALL, transforms=2)),
    "NSF": lambda: _density(flows.NSF(**SMALL, transforms=2, bins=4)),
    "NICE": lambda: _density(flows.NICE(**SMALL, transforms=2)),
    "RealNVP": lambda: _density(flows.RealNVP(**SMALL, transforms=2)),
    "NAF": lambda: _density(
        flows.NAF(features=3, transforms=1, network={"hidden_features": (8,)}, hidden_features=(8,))
    ),
    "SOSPF": lambda: _density(flows.SOSPF(**SMALL, transforms=1)),
    "BPF": lambda: _density(flows.BPF(**SMALL, transforms=1)),
    "GF": lambda: _density(flows.GF(**SMALL, transforms=1)),
    "GMM": lambda: _density(flows.GMM(**SMALL, components=2)),
    "CNF": lambda: _density(flows.CNF(**SMALL)),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
