"""Recipes for titans_pytorch: a memory that learns while it is used."""

from __future__ import annotations

import titans_pytorch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "titans_pytorch"

RECIPES: Recipes = {
    "NeuralMemory": lambda: shaped(
        titans_pytorch.NeuralMemory(dim=16, chunk_size=4, use_accelerated_scan=False), ((2, 12, 16), (3, 20, 16))
    ),
    "MemoryAsContextTransformer": lambda: tokens(
        titans_pytorch.MemoryAsContextTransformer(
            num_tokens=50,
            dim=16,
            depth=2,
            segment_len=8,
            num_persist_mem_tokens=2,
            num_longterm_mem_tokens=2,
            dim_head=8,
            heads=2,
        ),
        (2, 16),
        (3, 24),
        50,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
