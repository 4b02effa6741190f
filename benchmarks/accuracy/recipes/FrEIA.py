"""Recipes for FrEIA: invertible networks."""

from __future__ import annotations

from functools import partial
from typing import Any

from FrEIA import framework, modules
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped

PACKAGE = "FrEIA"


def _dense(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, outputs))


def _sequence(kind: Any, **config: Any) -> Built:
    model = framework.SequenceINN(4)
    for _ in range(2):
        model.append(kind, **config)
    return shaped(model, ((6, 4), (9, 4)))


def _graph() -> Built:
    start = framework.InputNode(4, 8, 8, name="input")
    down = framework.Node(start, modules.HaarDownsampling, {}, name="down")
    flat = framework.Node(down, modules.Flatten, {}, name="flat")
    end = framework.OutputNode(flat, name="output")
    return shaped(framework.GraphINN([start, down, flat, end]), ((2, 4, 8, 8), (3, 4, 8, 8)))


RECIPES: Recipes = {
    "AllInOneBlock": partial(_sequence, modules.AllInOneBlock, subnet_constructor=_dense, permute_soft=True),
    "GLOWCouplingBlock": partial(_sequence, modules.GLOWCouplingBlock, subnet_constructor=_dense),
    "RNVPCouplingBlock": partial(_sequence, modules.RNVPCouplingBlock, subnet_constructor=_dense),
    "GINCouplingBlock": partial(_sequence, modules.GINCouplingBlock, subnet_constructor=_dense),
    "ActNorm": partial(_sequence, modules.ActNorm),
    "PermuteRandom": partial(_sequence, modules.PermuteRandom),
    "GraphINN": _graph,
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
