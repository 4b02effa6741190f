"""Recipes for captum: attributions of a network's output to its input."""

from __future__ import annotations

from typing import Any

import torch
from captum import attr
from torch import nn

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, built, make

PACKAGE = "captum"


def _network() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))


def _attributed(method: Any, **more: Any) -> Built:
    return built(
        method.attribute, lambda n: {"inputs": torch.randn(n, 6), "target": 1, **more}, (3,), (5,), trains=False
    )


RECIPES: Recipes = {
    "IntegratedGradients": lambda: _attributed(attr.IntegratedGradients(_network()), n_steps=4),
    "Saliency": lambda: _attributed(attr.Saliency(_network())),
    "InputXGradient": lambda: _attributed(attr.InputXGradient(_network())),
    "DeepLift": lambda: _attributed(attr.DeepLift(_network())),
    "FeatureAblation": lambda: _attributed(attr.FeatureAblation(_network())),
    "ShapleyValueSampling": lambda: _attributed(attr.ShapleyValueSampling(_network()), n_samples=2),
    "Occlusion": lambda: _attributed(attr.Occlusion(_network()), sliding_window_shapes=(2,)),
    "GuidedBackprop": lambda: _attributed(attr.GuidedBackprop(_network())),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
