"""Recipes for e3nn: layers that respect rotations of space."""

from __future__ import annotations

import torch
from e3nn import nn as enn
from e3nn import o3

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "e3nn"

IRREPS = "4x0e + 2x1o"
WIDTH = ((6, 10), (9, 10))

RECIPES: Recipes = {
    "Linear": lambda: shaped(o3.Linear(IRREPS, IRREPS), WIDTH),
    "FullyConnectedTensorProduct": lambda: shaped(
        o3.FullyConnectedTensorProduct(IRREPS, "1x0e + 1x1o", IRREPS), WIDTH, ((6, 4), (9, 4))
    ),
    "TensorSquare": lambda: shaped(o3.TensorSquare("1x0e + 1x1o"), ((6, 4), (9, 4))),
    "SphericalHarmonics": lambda: shaped(o3.SphericalHarmonics([0, 1, 2], normalize=True), ((6, 3), (9, 3))),
    "Norm": lambda: shaped(o3.Norm(IRREPS), WIDTH),
    "BatchNorm": lambda: shaped(enn.BatchNorm(IRREPS), WIDTH),
    "Dropout": lambda: shaped(enn.Dropout(IRREPS, 0.3), WIDTH),
    "Gate": lambda: shaped(enn.Gate("4x0e", [torch.relu], "2x0e", [torch.sigmoid], "2x1o"), ((6, 12), (9, 12))),
    "NormActivation": lambda: shaped(enn.NormActivation(o3.Irreps(IRREPS), torch.sigmoid, bias=True), WIDTH),
    "FullyConnectedNet": lambda: shaped(enn.FullyConnectedNet([8, 16, 4], torch.relu), ((6, 8), (9, 8))),
    "S2Activation": lambda: shaped(enn.S2Activation("0e + 1o + 2e", torch.tanh, 12), ((6, 9), (9, 9))),
    "wigner_3j": lambda: built(o3.wigner_3j, lambda *degrees: degrees, (1, 1, 2), (1, 2, 2), trains=False),
    "matrix_to_angles": lambda: built(o3.matrix_to_angles, lambda n: (o3.rand_matrix(n),), (4,), (6,), trains=False),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
