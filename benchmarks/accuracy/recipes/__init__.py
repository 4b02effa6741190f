"""What the collector asks of a recipe: how to build the models of one package, small and with random weights.

A recipe is a module with `PACKAGE`, `names()` and `build(name)`. The recipes of the benchmark are the modules of
this package; any other file can be one, too (`load`).
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Inputs:
    """The arguments of one call. Every call is given a deep copy of them."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A model with random weights, and what it is called with."""

    target: nn.Module | Callable[..., Any]
    """What is compiled: a module of the package, or a function or a bound method of it."""
    first: Inputs
    second: Inputs
    """Of other shapes than `first`: another batch, another length."""
    trains: bool = True
    """Whether it can be trained."""
    train: Inputs | None = None
    """What it is trained with, for one with labels; None: `first`."""


class Recipe(Protocol):
    PACKAGE: str
    """Name of the package whose models these are, as it is imported."""

    def names(self) -> list[str]:
        """All models that it knows, each by a name of its own."""

    def build(self, name: str) -> Built:
        """The same model and inputs each time (all seeds are 0 when it is called); never downloads anything.

        Raises whatever comes up for a model that cannot be built.
        """


def load(recipe: str) -> Recipe:
    """The recipe of a package by its name, or one of somebody else's by the path of its file (*.py).

    Raises ModuleNotFoundError or FileNotFoundError if there is none.
    """
    if not recipe.endswith(".py"):
        return cast(Recipe, importlib.import_module(f"{__name__}.{recipe}"))
    path = Path(recipe)
    spec = importlib.util.spec_from_file_location(f"recipe_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(Recipe, module)
