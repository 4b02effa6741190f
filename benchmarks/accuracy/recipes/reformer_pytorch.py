"""Recipes for reformer_pytorch: attention among tokens that hash alike, and reversible layers."""

from __future__ import annotations

import reformer_pytorch

from benchmarks.accuracy.recipes import Built
from benchmarks.accuracy.recipes.making import Recipes, make, shaped, tokens

PACKAGE = "reformer_pytorch"

RECIPES: Recipes = {
    "Reformer": lambda: shaped(
        reformer_pytorch.Reformer(dim=32, depth=2, heads=2, bucket_size=4, n_hashes=2, causal=True),
        ((2, 16, 32), (3, 24, 32)),
    ),
    "ReformerLM": lambda: tokens(
        reformer_pytorch.ReformerLM(
            num_tokens=50, dim=32, depth=2, max_seq_len=64, heads=2, bucket_size=4, n_hashes=2, causal=True
        ),
        (2, 16),
        (3, 32),
        50,
    ),
    "LSHSelfAttention": lambda: shaped(
        reformer_pytorch.LSHSelfAttention(dim=32, heads=2, bucket_size=4, n_hashes=2), ((2, 16, 32), (3, 24, 32))
    ),
    "Autopadder": lambda: tokens(
        reformer_pytorch.Autopadder(
            reformer_pytorch.ReformerLM(
                num_tokens=50, dim=32, depth=1, max_seq_len=64, heads=2, bucket_size=4, n_hashes=2
            )
        ),
        (2, 13),
        (3, 21),
        50,
    ),
}


def names() -> list[str]:
    """What can be built."""
    return list(RECIPES)


def build(name: str) -> Built:
    """One of them."""
    return make(RECIPES, name)
