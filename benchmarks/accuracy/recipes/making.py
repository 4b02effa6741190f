"""What recipes of several packages share: two calls of different sizes, and tables of models by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from benchmarks.accuracy.recipes import Built, Inputs

Recipes = Mapping[str, Callable[[], Built]]


def built(
    target: Callable[..., Any],
    arguments: Callable[..., Mapping[str, Any] | tuple[Any, ...]],
    first: Sequence[Any],
    second: Sequence[Any],
    *,
    trains: bool = True,
) -> Built:
    """`target` called twice. `arguments` makes, of a set of sizes, a mapping (keyword) or a tuple (positional ones)."""
    return Built(target, _inputs(arguments(*first)), _inputs(arguments(*second)), trains)


def shaped(target: Callable[..., Any], *shapes: tuple[Sequence[int], Sequence[int]], trains: bool = True) -> Built:
    """`target` called with normal floats, one pair of shapes (first call, second call) for each argument."""
    first = Inputs(tuple(torch.randn(*shape) for shape, _ in shapes))
    second = Inputs(tuple(torch.randn(*shape) for _, shape in shapes))
    return Built(target, first, second, trains)


def tokens(target: Callable[..., Any], first: Sequence[int], second: Sequence[int], vocabulary: int) -> Built:
    """`target` called with one tensor of indices below `vocabulary`."""
    return built(target, lambda *shape: (torch.randint(0, vocabulary, shape),), first, second)


def make(recipes: Recipes, name: str) -> Built:
    """The model `name` of a table, the same on each call: weights and inputs are drawn with seed 0."""
    torch.manual_seed(0)
    return recipes[name]()


def _inputs(arguments: Mapping[str, Any] | tuple[Any, ...]) -> Inputs:
    return Inputs(arguments) if isinstance(arguments, tuple) else Inputs(kwargs=arguments)
