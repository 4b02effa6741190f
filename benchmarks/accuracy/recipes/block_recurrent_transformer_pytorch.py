"""Recipes for block_recurrent_transformer_pytorch."""

from __future__ import annotations

from block_recurrent_transformer_pytorch import BlockRecurrentTransformer

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, tokens

PACKAGE = "block_recurrent_transformer_pytorch"

RECIPES: Recipes = {
    "BlockRecurrentTransformer": lambda: tokens(
        BlockRecurrentTransformer(
            num_tokens=50,
            dim=32,
            depth=2,
            dim_head=16,
            heads=2,
            max_seq_len=32,
            block_width=8,
            num_state_vectors=8,
            recurrent_layers=(2,),
            use_compressed_mem=False,
        ),
        (2, 16),
        (3, 32),
        50,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
