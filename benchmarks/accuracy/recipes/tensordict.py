"""Recipes for tensordict: modules that read and write named tensors."""

from __future__ import annotations

from typing import Any

import tensordict
import torch
from tensordict import nn as tnn
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make, shaped

PACKAGE = "tensordict"


def _given(count: int) -> tuple[Any, ...]:
    return (tensordict.TensorDict({"a": torch.randn(count, 6)}, [count]),)


def _sequence() -> nn.Module:
    first = tnn.TensorDictModule(nn.Linear(6, 8), in_keys=["a"], out_keys=["hidden"])
    second = tnn.TensorDictModule(nn.Linear(8, 4), in_keys=["hidden"], out_keys=[("nested", "out")])
    return tnn.TensorDictSequential(first, second)


RECIPES: Recipes = {
    "TensorDictModule": lambda: built(
        tnn.TensorDictModule(nn.Linear(6, 8), in_keys=["a"], out_keys=["b"]), _given, (4,), (6,)
    ),
    "TensorDictSequential": lambda: built(_sequence(), _given, (4,), (6,)),
    "ProbabilisticTensorDictModule": lambda: built(
        tnn.ProbabilisticTensorDictSequential(
            tnn.TensorDictModule(
                nn.Sequential(nn.Linear(6, 8), tnn.NormalParamExtractor()), in_keys=["a"], out_keys=["loc", "scale"]
            ),
            tnn.ProbabilisticTensorDictModule(
                in_keys=["loc", "scale"], out_keys=["sample"], distribution_class=torch.distributions.Normal
            ),
        ),
        _given,
        (4,),
        (6,),
    ),
    "NormalParamExtractor": lambda: shaped(tnn.NormalParamExtractor(), ((4, 8), (6, 8))),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
