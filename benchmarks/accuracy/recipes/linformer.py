"""Recipes for linformer: attention of linear cost, through a projection of the sequence."""

from __future__ import annotations

import linformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "linformer"

RECIPES: Recipes = {
    "Linformer": lambda: shaped(
        linformer.Linformer(dim=32, seq_len=16, depth=2, heads=2, k=8, share_kv=True), ((2, 16, 32), (3, 16, 32))
    ),
    "LinformerLM": lambda: tokens(
        linformer.LinformerLM(num_tokens=50, dim=32, seq_len=16, depth=2, heads=2, k=8), (2, 16), (3, 12), 50
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
