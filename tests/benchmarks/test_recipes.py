"""What all recipes have in common: each is named after the package it builds, and builds the same each time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch

from benchmarks.accuracy.recipes import Built, Inputs
from benchmarks.accuracy.recipes.making import built, make, shaped, tokens

RECIPES = Path(__file__).parents[2] / "benchmarks/accuracy/recipes"
MODULES = [path for path in sorted(RECIPES.glob("*.py")) if "PACKAGE = " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_recipe_is_named_after_its_package_and_can_be_asked(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    (package,) = (
        node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and [target.id for target in node.targets if isinstance(target, ast.Name)] == ["PACKAGE"]
    )
    assert package == path.stem
    assert {"names", "build"} <= functions


def test_the_same_weights_and_inputs_each_time() -> None:
    recipes = {"linear": lambda: shaped(torch.nn.Linear(3, 2), ((4, 3), (5, 3)))}
    one, other = make(recipes, "linear"), make(recipes, "linear")
    assert isinstance(one, Built)
    assert torch.equal(one.target.weight, other.target.weight)
    assert torch.equal(one.second.args[0], other.second.args[0])
    assert [given.args[0].shape for given in (one.first, one.second)] == [(4, 3), (5, 3)]


def test_keywords_of_a_mapping_and_positions_of_a_tuple() -> None:
    of = built(dict, lambda size: {"size": size}, (1,), (2,), trains=False)
    assert (of.first, of.second, of.trains) == (Inputs(kwargs={"size": 1}), Inputs(kwargs={"size": 2}), False)
    assert built(dict, lambda size: (size,), (1,), (2,)).second == Inputs((2,))


def test_tokens_stay_below_the_vocabulary() -> None:
    given = tokens(torch.nn.Embedding(3, 2), (4, 50), (5, 50), 3).first.args[0]
    assert given.shape == (4, 50)
    assert set(given.unique().tolist()) == {0, 1, 2}
